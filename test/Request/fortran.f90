! In Fortran everything is passed by reference: a marker by its address, a number as
! memory. Markers may be variables of a module. A function named f__enzyme_autodiff is an
! entry point too.
! RUN: %plain-flang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s
! RUN: %plain-flang -O2 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s

module markers
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  integer(c_int), bind(c, name="enzyme_dup") :: enzyme_dup = 0
  integer(c_int), bind(c, name="enzyme_out") :: enzyme_out = 0
  integer :: pardiff_const
end module markers

module kernel
  implicit none
contains
  subroutine squares(n, x, y)
    integer, intent(in) :: n
    double precision, intent(in) :: x(n)
    double precision, intent(out) :: y(n)
    y = x * x
  end subroutine squares
  double precision function square(x)
    double precision, intent(in) :: x
    square = x * x
  end function square
end module kernel

subroutine memory(n, x, dx, y, dy)
  use markers
  use kernel
  implicit none
  integer :: n
  double precision :: x(n), dx(n), y(n), dy(n)
  external :: squares__enzyme_autodiff
  ! CHECK: request in memory_: _QMkernelPsquares(const ptr {{.*}}, dup ptr {{.*}} with ptr {{.*}}, dup ptr {{.*}} with ptr {{.*}}) ->
  call squares__enzyme_autodiff(squares, pardiff_const, n, enzyme_dup, x, dx, y, dy)
end subroutine memory

double precision function value(x)
  use markers
  use kernel
  implicit none
  double precision :: x
  double precision, external :: square__enzyme_autodiff
  ! CHECK: refused in value_: a pointer cannot be marked as an output, because only derivatives of values are returned: argument 1 of 'kernel::square'; use pardiff_dup and a shadow
  value = square__enzyme_autodiff(square, enzyme_out, x)
end function value
