! The intrinsic functions of Fortran, real and complex, in loops over arrays, against
! central differences of fourth order; through both engines.
! RUN: %flang -O0 %s -o %t && %t
! RUN: %flang -O2 %s -o %t && %t
! RUN: %flang -O2 -mllvm -pardiff-force-fallback %s -o %t && %t

module markers
  implicit none
  integer :: pardiff_const, pardiff_dup
end module markers

module kernels
  implicit none
contains
  subroutine reals(n, x, y, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8), intent(inout) :: r(n)
    integer :: i
    do i = 1, n
      r(i) = x(i)**3 + x(i)**i + log_gamma(x(i)) + gamma(y(i)) + bessel_j0(x(i)) &
           + bessel_jn(2, y(i)) + erfc_scaled(x(i)) + hypot(x(i), y(i)) + atan2(x(i), y(i)) &
           + mod(x(i), y(i)) * y(i) + modulo(-x(i), y(i)) * x(i) + sign(x(i), y(i)) &
           + dim(x(i), y(i)) + aint(y(i)) * x(i) + anint(x(i)) * y(i) + x(i)**y(i)
      r(i) = r(i) + max(x(i), y(i)) * x(i) + min(x(i), y(i)) + asinh(x(i)) + nint(x(i)) * y(i) &
           + scale(x(i), 2) * y(i) + fraction(x(i)) * y(i) + exponent(x(i)) * y(i) &
           + set_exponent(y(i), 3)
    end do
  end subroutine reals

  ! Complex numbers by their parts.
  subroutine complexes(n, x, y, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8), intent(inout) :: r(n)
    complex(8) :: z, w, f
    integer :: i
    do i = 1, n
      z = cmplx(x(i), y(i), 8)
      w = cmplx(y(i), -0.5d0 * x(i), 8)
      f = z * w + z / w + exp(z) + sqrt(w) + abs(z) * w + z**w + conjg(z) * w
      f = f + log(w) * sin(z) + z**3 + w**i + cosh(z) + w**(-2)
      r(i) = 2 * real(f, 8) + 3 * aimag(f)
    end do
  end subroutine complexes
end module kernels

program test
  use markers
  use kernels
  implicit none
  integer, parameter :: m = 4
  integer :: n, failures
  n = m
  if (command_argument_count() > 3) n = 2 ! not known to the compiler
  failures = 0
  call check_reals(n, failures)
  call check_complexes(n, failures)
  if (failures /= 0) stop 1
contains
  subroutine compare(what, got, want, failures)
    character(*), intent(in) :: what
    real(8), intent(in) :: got, want
    integer, intent(inout) :: failures
    if (abs(got - want) <= 1d-7 * (1 + abs(want))) return
    failures = failures + 1
    print *, what, got, want
  end subroutine compare

  real(8) function difference(up2, up, down, down2, h)
    real(8), intent(in) :: up2, up, down, down2, h
    difference = (8 * (up - down) - (up2 - down2)) / (12 * h)
  end function difference

  subroutine differentiate(f, n, x, y, i, dx, dy)
    external :: f
    integer, intent(in) :: n, i
    real(8), intent(in) :: x(n), y(n)
    real(8), intent(out) :: dx, dy
    real(8), parameter :: h = 1d-3
    real(8) :: p(n), r(n), v(-2:2)
    integer :: k
    do k = -2, 2
      p = x
      p(i) = x(i) + k * h
      r = 0
      call f(n, p, y, r)
      v(k) = r(i)
    end do
    dx = difference(v(2), v(1), v(-1), v(-2), h)
    do k = -2, 2
      p = y
      p(i) = y(i) + k * h
      r = 0
      call f(n, x, p, r)
      v(k) = r(i)
    end do
    dy = difference(v(2), v(1), v(-1), v(-2), h)
  end subroutine differentiate

  subroutine inputs(n, x, dx, y, dy, r, dr)
    integer, intent(in) :: n
    real(8), intent(out) :: x(n), dx(n), y(n), dy(n), r(n), dr(n)
    integer :: i
    do i = 1, n
      x(i) = 0.6d0 + 0.37d0 * i
      y(i) = 2.3d0 - 0.41d0 * i
    end do
    dx = 0
    dy = 0
    r = 0
    dr = 1
  end subroutine inputs

  subroutine check_reals(n, failures)
    integer, intent(in) :: n
    integer, intent(inout) :: failures
    real(8) :: x(n), dx(n), y(n), dy(n), r(n), dr(n), wx, wy
    external :: reals__enzyme_autodiff
    integer :: i
    call inputs(n, x, dx, y, dy, r, dr)
    call reals__enzyme_autodiff(reals, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup, y, dy, &
                                pardiff_dup, r, dr)
    do i = 1, n
      call differentiate(reals, n, x, y, i, wx, wy)
      call compare("real, x", dx(i), wx, failures)
      call compare("real, y", dy(i), wy, failures)
    end do
  end subroutine check_reals

  subroutine check_complexes(n, failures)
    integer, intent(in) :: n
    integer, intent(inout) :: failures
    real(8) :: x(n), dx(n), y(n), dy(n), r(n), dr(n), wx, wy
    external :: complexes__enzyme_autodiff
    integer :: i
    call inputs(n, x, dx, y, dy, r, dr)
    call complexes__enzyme_autodiff(complexes, pardiff_const, n, pardiff_dup, x, dx, &
                                    pardiff_dup, y, dy, pardiff_dup, r, dr)
    do i = 1, n
      call differentiate(complexes, n, x, y, i, wx, wy)
      call compare("complex, x", dx(i), wx, failures)
      call compare("complex, y", dy(i), wy, failures)
    end do
  end subroutine check_complexes
end program test
