! The same in Fortran.
! RUN: %plain-flang -O0 -c %s -o %t.plain.o
! RUN: %flang -O0 -c %s -o %t.plugin.o
! RUN: cmp %t.plain.o %t.plugin.o
! RUN: %plain-flang -O2 -c %s -o %t.plain.o
! RUN: %flang -O2 -c %s -o %t.plugin.o
! RUN: cmp %t.plain.o %t.plugin.o
double precision function total(x)
  double precision, intent(in) :: x(:)
  total = sum(x)
end function total
