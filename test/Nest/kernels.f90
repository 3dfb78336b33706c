! Kernels of linear algebra, stencils and statistics in Fortran: each one is a nest, and its
! gradient agrees with differences, serial and with two threads.
! RUN: %flang -O0 %s -o %t.0 && %t.0
! RUN: %flang -O1 %s -o %t.1 && %t.1
! RUN: %flang -O2 %s -o %t.2 && %t.2
! RUN: %flang -O3 -fopenmp -mllvm -pardiff-nest-only %s -o %t.3 && env OMP_NUM_THREADS=2 %t.3

module markers
  implicit none
  integer :: pardiff_const, pardiff_dup
end module markers

module kernels
  implicit none
contains
  ! C := A B + C / 2.
  subroutine product(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j, k
    do j = 1, n
      do i = 1, n
        c(i, j) = 0.5d0 * c(i, j)
        do k = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine product

  ! B := A^T B in place, A unit lower triangular.
  subroutine triangular(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j, k
    do j = 1, n
      do i = 1, n
        do k = i + 1, n
          b(i, j) = b(i, j) + a(k, i) * b(k, j)
        end do
        b(i, j) = 1.5d0 * b(i, j) * c(i, j)
      end do
    end do
  end subroutine triangular

  ! The lower triangle of A A^T.
  subroutine rank_k(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j, k
    do j = 1, n
      do k = 1, n
        do i = j, n
          c(i, j) = c(i, j) + a(i, k) * a(j, k) * b(1, 1)
        end do
      end do
    end do
  end subroutine rank_k

  ! Two time steps of a stencil between two arrays.
  subroutine jacobi(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j, k
    do k = 1, 2
      do j = 2, n - 1
        do i = 2, n - 1
          b(i, j) = 0.2d0 * (a(i, j) + a(i, j-1) + a(i, j+1) + a(i+1, j) + a(i-1, j)**2)
        end do
      end do
      do j = 2, n - 1
        do i = 2, n - 1
          a(i, j) = 0.2d0 * (b(i, j) + b(i, j-1) + b(i, j+1) + b(i+1, j) + b(i-1, j)) * c(i, j)
        end do
      end do
    end do
  end subroutine jacobi

  ! A stencil in place.
  subroutine seidel(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = (a(i-1, j-1) + a(i, j-1) + a(i+1, j-1) + a(i-1, j) + a(i, j) * b(i, j) &
                + a(i+1, j) + a(i-1, j+1) + a(i, j+1) + a(i+1, j+1)) / 9 + c(i, j)
      end do
    end do
  end subroutine seidel

  ! Forward substitution for many right-hand sides.
  subroutine substitution(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j, k
    do j = 1, n
      do i = 1, n
        c(i, j) = b(i, j)
        do k = 1, i - 1
          c(i, j) = c(i, j) - a(i, k) * c(k, j)
        end do
        c(i, j) = c(i, j) / (4 + a(i, i))
      end do
    end do
  end subroutine substitution

  ! Softmax of columns.
  subroutine softmax(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j
    real(8) :: s
    do j = 1, n
      s = a(1, j)
      do i = 2, n
        s = max(s, a(i, j))
      end do
      do i = 1, n
        c(i, j) = exp(a(i, j) - s)
      end do
      s = 0
      do i = 1, n
        s = s + c(i, j)
      end do
      do i = 1, n
        c(i, j) = c(i, j) / s * b(i, j)
      end do
    end do
  end subroutine softmax

  ! Covariance of columns.
  subroutine centre(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j, k
    real(8) :: s
    do j = 1, n
      s = 0
      do i = 1, n
        s = s + a(i, j)
      end do
      do i = 1, n
        a(i, j) = a(i, j) - s / n
      end do
    end do
    do j = 1, n
      do i = j, n
        s = 0
        do k = 1, n
          s = s + a(k, i) * a(k, j)
        end do
        c(i, j) = s * b(i, j)
        c(j, i) = s
      end do
    end do
  end subroutine centre

end module kernels

program test
  use markers
  use kernels
  implicit none
  integer, parameter :: m = 6
  integer :: n, failures
  real(8), dimension(m, m, 3) :: x, dx
  external :: product__enzyme_autodiff, triangular__enzyme_autodiff, rank_k__enzyme_autodiff, &
       jacobi__enzyme_autodiff, seidel__enzyme_autodiff, substitution__enzyme_autodiff, &
       softmax__enzyme_autodiff, centre__enzyme_autodiff
  n = m
  if (command_argument_count() > 3) n = 2 ! not known to the compiler
  failures = 0

  call start(x, dx)
  call product__enzyme_autodiff(product, pardiff_const, n, pardiff_dup, x(:, :, 1), dx(:, :, 1), &
       pardiff_dup, x(:, :, 2), dx(:, :, 2), pardiff_dup, x(:, :, 3), dx(:, :, 3))
  call compare('product', product, n, dx, failures)

  call start(x, dx)
  call triangular__enzyme_autodiff(triangular, pardiff_const, n, pardiff_dup, x(:, :, 1), dx(:, :, 1), &
       pardiff_dup, x(:, :, 2), dx(:, :, 2), pardiff_dup, x(:, :, 3), dx(:, :, 3))
  call compare('triangular', triangular, n, dx, failures)

  call start(x, dx)
  call rank_k__enzyme_autodiff(rank_k, pardiff_const, n, pardiff_dup, x(:, :, 1), dx(:, :, 1), &
       pardiff_dup, x(:, :, 2), dx(:, :, 2), pardiff_dup, x(:, :, 3), dx(:, :, 3))
  call compare('rank_k', rank_k, n, dx, failures)

  call start(x, dx)
  call jacobi__enzyme_autodiff(jacobi, pardiff_const, n, pardiff_dup, x(:, :, 1), dx(:, :, 1), &
       pardiff_dup, x(:, :, 2), dx(:, :, 2), pardiff_dup, x(:, :, 3), dx(:, :, 3))
  call compare('jacobi', jacobi, n, dx, failures)

  call start(x, dx)
  call seidel__enzyme_autodiff(seidel, pardiff_const, n, pardiff_dup, x(:, :, 1), dx(:, :, 1), &
       pardiff_dup, x(:, :, 2), dx(:, :, 2), pardiff_dup, x(:, :, 3), dx(:, :, 3))
  call compare('seidel', seidel, n, dx, failures)

  call start(x, dx)
  call substitution__enzyme_autodiff(substitution, pardiff_const, n, pardiff_dup, x(:, :, 1), dx(:, :, 1), &
       pardiff_dup, x(:, :, 2), dx(:, :, 2), pardiff_dup, x(:, :, 3), dx(:, :, 3))
  call compare('substitution', substitution, n, dx, failures)

  call start(x, dx)
  call softmax__enzyme_autodiff(softmax, pardiff_const, n, pardiff_dup, x(:, :, 1), dx(:, :, 1), &
       pardiff_dup, x(:, :, 2), dx(:, :, 2), pardiff_dup, x(:, :, 3), dx(:, :, 3))
  call compare('softmax', softmax, n, dx, failures)

  call start(x, dx)
  call centre__enzyme_autodiff(centre, pardiff_const, n, pardiff_dup, x(:, :, 1), dx(:, :, 1), &
       pardiff_dup, x(:, :, 2), dx(:, :, 2), pardiff_dup, x(:, :, 3), dx(:, :, 3))
  call compare('centre', centre, n, dx, failures)

  if (failures /= 0) stop 1
contains
  ! Inputs, and the weights of all elements in the loss.
  subroutine start(x, w)
    real(8), intent(out) :: x(m, m, 3), w(m, m, 3)
    integer :: i, j, k
    do k = 1, 3
      do j = 1, m
        do i = 1, m
          x(i, j, k) = 0.6d0 + 0.4d0 * sin(1d0 * (i + 7 * j + 31 * k))
          w(i, j, k) = cos(2d0 * i + 3 * j + 5 * k)
        end do
      end do
    end do
  end subroutine start

  subroutine compare(what, f, n, got, failures)
    character(*), intent(in) :: what
    external :: f
    integer, intent(in) :: n
    real(8), intent(in) :: got(m, m, 3)
    integer, intent(inout) :: failures
    real(8), parameter :: h = 1d-4
    real(8) :: x(m, m, 3), w(m, m, 3), v(2), want
    integer :: i, j, k, s
    do k = 1, 3
      do j = 1, m
        do i = 1, m
          do s = 1, 2
            call start(x, w)
            x(i, j, k) = x(i, j, k) + (2 * s - 3) * h
            call f(n, x(:, :, 1), x(:, :, 2), x(:, :, 3))
            v(s) = sum(w * x)
          end do
          want = (v(2) - v(1)) / (2 * h)
          if (abs(got(i, j, k) - want) <= 1d-5 * (1 + abs(want))) cycle
          failures = failures + 1
          print *, what, i, j, k, got(i, j, k), want
        end do
      end do
    end do
  end subroutine compare
end program test
