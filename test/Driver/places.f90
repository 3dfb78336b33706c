! flang shows the line with -g; without, the message names everything itself.
! RUN: %not %flang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LINE
! RUN: %not %flang -O2 -g -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LINE
! RUN: %not %flang -O0 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=NAMES
! RUN: %not %flang -O2 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=NAMES
module kernel
  implicit none
  integer :: pardiff_out
contains
  double precision function square(x)
    double precision, intent(in) :: x
    square = x * x
  end function square
end module kernel

double precision function value(x)
  use kernel
  implicit none
  double precision :: x
  double precision, external :: square__enzyme_autodiff
  ! LINE: error: {{.*}}places.f90:[[#@LINE+2]]:{{.*}}: pardiff: a pointer cannot be marked as an output, because only derivatives of values are returned: argument 1 of 'kernel::square'; use pardiff_dup and a shadow{{$}}
  ! NAMES: error: {{.*}}pardiff: a pointer cannot be marked as an output, because only derivatives of values are returned: argument 1 of 'kernel::square'; use pardiff_dup and a shadow; in the call of 'square__enzyme_autodiff_' in 'value_'; compile with -gline-tables-only to see the line
  value = square__enzyme_autodiff(square, pardiff_out, x)
end function value
