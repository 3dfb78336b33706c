! The harness itself: flang loads the plugin, and a program without requests runs as before.
! RUN: %flang -O2 %s -o %t && %t | %FileCheck %s
! CHECK: 9.0
program substitutions
  real :: x
  x = 3.0
  print '(f4.1)', x*x
end program
