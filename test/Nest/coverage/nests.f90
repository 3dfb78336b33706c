! Nests in the ways in which Fortran programs write them.
! RUN: %python %root/scripts/coverage.py --check --plugin=%plugin --llvm=%llvm-tools \
! RUN:   --opt=%llvm-tools/opt --flang=flang %s

module data
  real(8) :: ga(40, 30), gb(40, 30)
  type pair
    real(8), allocatable :: u(:), v(:)
    integer :: n
  end type
contains
  pure elemental real(8) function plus_square(x)
    real(8), intent(in) :: x
    plus_square = x * x + 1
  end function
end module

!= one nest: explicit shapes
subroutine explicit(n, m, p, a, b, c) bind(c)
  integer, value :: n, m, p
  real(8) :: a(n, m), b(m, p), c(n, p)
  integer :: i, j, k
  do j = 1, p
    do i = 1, n
      do k = 1, m
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine

!= one nest: sizes by reference
subroutine by_reference(n, m, a, x, y) bind(c)
  integer :: n, m
  real(8) :: a(n, m), x(m), y(n)
  integer :: i, j
  do j = 1, m
    do i = 1, n
      y(i) = y(i) + a(i, j) * x(j)
    end do
  end do
end subroutine

!= one nest: assumed shapes, taken as contiguous
subroutine assumed(a, b, c) bind(c)
  real(8) :: a(:, :), b(:, :), c(:, :)
  integer :: i, j, k
  do j = 1, size(b, 2)
    do i = 1, size(a, 1)
      do k = 1, size(a, 2)
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine

!= one nest: assumed shapes of one dimension
subroutine assumed_vector(x, y) bind(c)
  real(8), intent(in) :: x(:)
  real(8), intent(inout) :: y(:)
  integer :: i
  do i = 1, size(x)
    y(i) = y(i) + 2 * x(i) * x(i)
  end do
end subroutine

!= one nest: assumed shapes declared contiguous
subroutine contiguous_shapes(a, b) bind(c)
  real(8), contiguous, intent(in) :: a(:, :)
  real(8), contiguous, intent(inout) :: b(:, :)
  integer :: i, j
  do j = 1, size(a, 2)
    do i = 1, size(a, 1)
      b(i, j) = b(i, j) + a(i, j) * a(i, j)
    end do
  end do
end subroutine

!= one nest: allocatable arguments
subroutine allocatables(a, b)
  real(8), allocatable :: a(:, :), b(:, :)
  integer :: i, j
  do j = 1, size(a, 2)
    do i = 1, size(a, 1)
      b(i, j) = b(i, j) + 2 * a(i, j)
    end do
  end do
end subroutine

!= one nest: a local allocatable
subroutine local_allocatable(n, x, y) bind(c)
  integer, value :: n
  real(8) :: x(n), y(n)
  real(8), allocatable :: t(:)
  integer :: i
  allocate (t(n))
  do i = 1, n
    t(i) = x(i) * x(i)
  end do
  do i = 1, n
    y(i) = t(i) + t(n + 1 - i)
  end do
  deallocate (t)
end subroutine

!= one nest: an automatic array
subroutine automatic(n, x, y) bind(c)
  integer, value :: n
  real(8) :: x(n, n), y(n, n), t(n, n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      t(i, j) = x(j, i) * 2
    end do
  end do
  do j = 1, n
    do i = 1, n
      y(i, j) = t(i, j) * t(j, i)
    end do
  end do
end subroutine

!= one nest: do concurrent
subroutine concurrent(n, x, y) bind(c)
  integer, value :: n
  real(8) :: x(n, n), y(n, n)
  integer :: i, j
  do concurrent(j=1:n, i=1:n)
    y(i, j) = x(i, j) * 2 + x(j, i)
  end do
end subroutine

!= one nest: whole arrays
subroutine whole(n, a, b, c) bind(c)
  integer, value :: n
  real(8) :: a(n, n), b(n, n), c(n, n)
  c = a * b + exp(a)
end subroutine

!= one nest: matmul
subroutine matrix_product(n, a, b, c) bind(c)
  integer, value :: n
  real(8) :: a(n, n), b(n, n), c(n, n)
  c = matmul(a, b)
end subroutine

!= one nest: dot_product
real(8) function dot(n, a, b) bind(c)
  integer, value :: n
  real(8) :: a(n), b(n)
  dot = dot_product(a, b)
end function

!= one nest: sum of an expression
real(8) function summed(n, a) bind(c)
  integer, value :: n
  real(8) :: a(n, n)
  summed = sum(a * a)
end function

!= one nest: maxval
real(8) function largest(n, a) bind(c)
  integer, value :: n
  real(8) :: a(n)
  largest = maxval(a)
end function

!= one nest: sum and transpose
subroutine transposed(n, a, b) bind(c)
  integer, value :: n
  real(8) :: a(n, n), b(n)
  b = sum(transpose(a), dim=1)
end subroutine

!= one nest: sections
subroutine sections(n, a, b) bind(c)
  integer, value :: n
  real(8) :: a(n), b(n)
  b(2:n - 1) = (a(1:n - 2) + a(2:n - 1) * a(3:n)) / 3
end subroutine

!= one nest: sections in place, through a temporary
subroutine sections_in_place(n, a) bind(c)
  integer, value :: n
  real(8) :: a(n)
  a(2:n - 1) = (a(1:n - 2) + a(2:n - 1) + a(3:n)) / 3
end subroutine

!= one nest: arrays of a module
subroutine of_module() bind(c)
  use data
  integer :: i, j
  do j = 1, 30
    do i = 1, 40
      gb(i, j) = gb(i, j) + ga(i, j) * ga(i, j)
    end do
  end do
end subroutine

!= one nest: components of a derived type
subroutine components(s)
  use data
  type(pair) :: s
  integer :: i
  do i = 1, s%n
    s%v(i) = s%v(i) + s%u(i) * s%u(i)
  end do
end subroutine

!= one nest: an elemental function
subroutine elemental_call(n, x, y) bind(c)
  use data
  integer, value :: n
  real(8) :: x(n), y(n)
  integer :: i
  do i = 1, n
    y(i) = plus_square(x(i)) * y(i)
  end do
end subroutine

!= one nest: a step that is a parameter
subroutine with_step(n, s, x) bind(c)
  integer, value :: n, s
  real(8) :: x(n)
  integer :: i
  do i = 1, n, s
    x(i) = x(i) * x(i)
  end do
end subroutine

!= one nest: time steps of a stencil
subroutine stencil(t, n, a, b) bind(c)
  integer, value :: t, n
  real(8) :: a(n, n), b(n, n)
  integer :: i, j, k
  do k = 1, t
    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) * a(i, j + 1))
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = b(i, j)
      end do
    end do
  end do
end subroutine

!= one nest: where, on elements that are accessed nowhere else
subroutine masked(n, a, b) bind(c)
  integer, value :: n
  real(8) :: a(n), b(n)
  where (a > 0)
    b = a
  elsewhere
    b = 0
  end where
end subroutine

!= one nest: a vector subscript
subroutine vector_subscript(n, at, x, y) bind(c)
  integer, value :: n
  integer :: at(n), i
  real(8) :: x(n), y(n)
  do i = 1, n
    y(i) = y(i) + x(at(i))
  end do
end subroutine
