!mod$ v1 sum:6782f16a3ca8a312
module data
real(8)::ga(1_8:40_8,1_8:30_8)
real(8)::gb(1_8:40_8,1_8:30_8)
type::pair
real(8),allocatable::u(:)
real(8),allocatable::v(:)
integer(4)::n
end type
contains
elemental pure function plus_square(x)
real(8),intent(in)::x
real(8)::plus_square
end
end
