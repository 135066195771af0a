! Samples of a signal in blocks of a length that is known only when the program runs. The blocks form a list, so
! that a measurement can grow without copying what was measured before.
module kinds
  implicit none
  private
  integer, parameter, public :: single = selected_real_kind(6, 37)
  integer, parameter, public :: double = selected_real_kind(15, 307)
  integer, parameter, public :: working = double
  integer, parameter, public :: label_length = 12
  integer, parameter, public :: usual_size = 256
end module kinds

module statistics
  use kinds, only: working
  implicit none
  private
  public :: summary, operator(+), describe

  type :: summary
    integer :: count = 0
    real(working) :: total = 0, squares = 0
    real(working) :: least = huge(1.0_working), most = -huge(1.0_working)
  contains
    procedure :: mean => summary_mean
    procedure :: deviation => summary_deviation
  end type summary

  interface operator(+)
    module procedure merge_summaries
  end interface

contains

  pure function describe(values) result(found)
    real(working), intent(in) :: values(:)
    type(summary) :: found
    if (size(values) == 0) return
    found%count = size(values)
    found%total = sum(values)
    found%squares = dot_product(values, values)
    found%least = minval(values)
    found%most = maxval(values)
  end function describe

  elemental function merge_summaries(one, other) result(both)
    type(summary), intent(in) :: one, other
    type(summary) :: both
    both%count = one%count + other%count
    both%total = one%total + other%total
    both%squares = one%squares + other%squares
    both%least = min(one%least, other%least)
    both%most = max(one%most, other%most)
  end function merge_summaries

  pure real(working) function summary_mean(this) result(mean)
    class(summary), intent(in) :: this
    mean = 0
    if (this%count > 0) mean = this%total / this%count
  end function summary_mean

  pure real(working) function summary_deviation(this) result(deviation)
    class(summary), intent(in) :: this
    real(working) :: mean
    deviation = 0
    if (this%count < 2) return
    mean = this%mean()
    deviation = sqrt(max(0.0_working, this%squares / this%count - mean**2))
  end function summary_deviation

end module statistics

module blocks
  use, intrinsic :: iso_fortran_env, only: error_unit
  use kinds, only: working, label_length, usual_size
  use statistics, only: summary, describe, operator(+)
  implicit none
  private
  public :: block, fill, write_block, summarize, smooth

  type :: block(k, length)
    integer, kind :: k = working
    integer, len :: length = usual_size
    integer :: used = 0
    real(k) :: samples(length)
    character(len=label_length) :: label = ''
    type(block(k, length)), pointer :: next => null()
  end type block

contains

  subroutine fill(target_block, values, label)
    type(block(working, *)), intent(inout) :: target_block
    real(working), intent(in) :: values(:)
    character(len=*), intent(in) :: label
    integer :: room, position
    room = target_block%length - target_block%used
    if (size(values) > room) then
      write (error_unit, '(a, i0, a)') 'only ', room, ' samples are left in the block ' // trim(label)
    end if
    do position = 1, min(room, size(values))
      target_block%used = target_block%used + 1
      target_block%samples(target_block%used) = values(position)
    end do
    target_block%label = label
  end subroutine fill

  subroutine smooth(target_block, width)
    type(block(working, *)), intent(inout) :: target_block
    integer, intent(in) :: width
    real(working), allocatable :: before(:)
    integer :: position, first, last
    allocate (before(target_block%used))
    before = target_block%samples(1:target_block%used)
    do concurrent (position = 1:target_block%used)
      first = max(1, position - width)
      last = min(target_block%used, position + width)
      target_block%samples(position) = sum(before(first:last)) / (last - first + 1)
    end do
  end subroutine smooth

  function summarize(source) result(found)
    type(block(working, *)), intent(in) :: source
    type(summary) :: found
    select case (source%used)
    case (0)
      found = summary()
    case default
      found = summary() + describe(source%samples(1:source%used))
    end select
  end function summarize

  subroutine write_block(unit, source)
    integer, intent(in) :: unit
    type(block(working, *)), intent(in) :: source
    type(summary) :: found
    integer :: status
    character(len=80) :: message
    found = summarize(source)
    write (unit, '(a, ":", i6, 4(1x, f10.4))', iostat=status, iomsg=message) &
      source%label, found%count, found%mean(), found%deviation(), found%least, found%most
    if (status /= 0) write (error_unit, '(a)') trim(message)
  end subroutine write_block

end module blocks

program measure
  use, intrinsic :: iso_fortran_env, only: output_unit
  use kinds, only: working
  use blocks, only: block, fill, write_block, smooth
  implicit none
  integer, parameter :: rounds = 4
  real(working), parameter :: pi = acos(-1.0_working)
  integer :: round, step
  type(block(working, 64)) :: current
  character(len=12) :: label
  do round = 1, rounds
    current%used = 0
    write (label, '(a, i0)') 'round ', round
    call fill(current, [(sin(2 * pi * step * round / 64), step = 1, 64)], label)
    call write_block(output_unit, current)
    if (mod(round, 2) == 0) then
      call smooth(current, width=round)
      call write_block(output_unit, current)
    end if
  end do
end program measure
