! Gradients through assumed-shape arguments: whole arrays, whole columns, and every second
! row, which is a nest too where the compiler sees the section.
! RUN: %flang -O0 %s -o %t.0 && %t.0
! RUN: %flang -O2 %s -o %t.2 && %t.2

module kernels
  implicit none
contains
  subroutine squares(x, y)
    real(8), intent(in) :: x(:, :)
    real(8), intent(inout) :: y(:, :)
    integer :: i, j
    do j = 1, size(x, 2)
      do i = 1, size(x, 1)
        y(i, j) = y(i, j) + x(i, j) * x(i, j)
      end do
    end do
  end subroutine
  subroutine whole(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    call squares(x, y)
  end subroutine
  subroutine columns(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    call squares(x(:, 2:m), y(:, 2:m))
  end subroutine
  subroutine second_rows(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    call squares(x(1:n:2, :), y(1:n:2, :))
  end subroutine
end module

module markers
  integer :: pardiff_const, pardiff_dup
end module

program test
  use markers
  use kernels
  implicit none
  integer, parameter :: n = 5, m = 3
  real(8) :: x(n, m), dx(n, m), y(n, m), dy(n, m), want(n, m)
  integer :: i, k
  external :: whole__enzyme_autodiff, columns__enzyme_autodiff, rows__enzyme_autodiff
  x = reshape([(0.5d0 + i, i=1, n * m)], [n, m])
  do k = 1, 3
    dx = 0
    dy = 2
    y = 0
    want = 4 * x
    if (k == 1) then
      call whole__enzyme_autodiff(whole, pardiff_const, n, pardiff_const, m, pardiff_dup, x, dx, pardiff_dup, y, dy)
    else if (k == 2) then
      call columns__enzyme_autodiff(columns, pardiff_const, n, pardiff_const, m, pardiff_dup, x, dx, pardiff_dup, y, dy)
      want(:, 1) = 0
    else
      call rows__enzyme_autodiff(second_rows, pardiff_const, n, pardiff_const, m, pardiff_dup, x, dx, pardiff_dup, y, dy)
      want(2:n:2, :) = 0
    end if
    if (any(abs(dx - want) > 1d-12)) then
      print *, k, dx - want
      stop 1
    end if
  end do
end program
