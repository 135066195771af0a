! Heat conduction in a layered wall, one dimension, explicit and implicit steps.
! The numerics were rewritten as a module; the driver routines at the end are older and still use implicit types.

module wall_types
  implicit none
  private
  integer, parameter, public :: dp = selected_real_kind(12, 200)
  integer, parameter, public :: max_layers = 8

  type, public :: layer
    real(dp) :: thickness = 0.0_dp      ! m
    real(dp) :: conductivity = 1.0_dp   ! W/(m K)
    real(dp) :: capacity = 1.0e6_dp     ! J/(m3 K)
    integer :: cells = 10
  end type layer

  type, public :: wall
    integer :: n = 0
    type(layer) :: layers(max_layers)
    real(dp) :: inside = 293.15_dp
    real(dp) :: outside = 268.15_dp
  end type wall
end module wall_types

module wall_solver
  use wall_types, only: dp, layer, wall
  implicit none
  private
  public :: count_cells, fill, step_explicit, step_implicit, heat_flux

  interface norm
    module procedure norm_max, norm_two
  end interface norm

contains

  pure integer function count_cells(w) result(total)
    type(wall), intent(in) :: w
    integer :: i
    total = 0
    do i = 1, w%n
      total = total + w%layers(i)%cells
    end do
  end function count_cells

  subroutine fill(w, dx, k, c)
    type(wall), intent(in) :: w
    real(dp), intent(out) :: dx(:), k(:), c(:)
    integer :: i, j, at
    at = 0
    do i = 1, w%n
      do j = 1, w%layers(i)%cells
        at = at + 1
        dx(at) = w%layers(i)%thickness / real(w%layers(i)%cells, dp)
        k(at) = w%layers(i)%conductivity
        c(at) = w%layers(i)%capacity
      end do
    end do
  end subroutine fill

  subroutine step_explicit(n, dt, dx, k, c, inside, outside, t)
    integer, intent(in) :: n
    real(dp), intent(in) :: dt, dx(n), k(n), c(n), inside, outside
    real(dp), intent(inout) :: t(n)
    real(dp) :: flux(0:n)
    integer :: i
    flux(0) = k(1) * (inside - t(1)) / (0.5_dp * dx(1))
    do i = 1, n - 1
      flux(i) = (t(i) - t(i + 1)) / (0.5_dp * dx(i) / k(i) + 0.5_dp * dx(i + 1) / k(i + 1))
    end do
    flux(n) = k(n) * (t(n) - outside) / (0.5_dp * dx(n))
    do i = 1, n
      t(i) = t(i) + dt * (flux(i - 1) - flux(i)) / (c(i) * dx(i))
    end do
  end subroutine step_explicit

  subroutine step_implicit(n, dt, dx, k, c, inside, outside, t, info)
    integer, intent(in) :: n
    real(dp), intent(in) :: dt, dx(n), k(n), c(n), inside, outside
    real(dp), intent(inout) :: t(n)
    integer, intent(out) :: info
    real(dp) :: lower(n), diagonal(n), upper(n), left, right
    integer :: i
    info = 0
    do i = 1, n
      if (i == 1) then
        left = 2.0_dp * k(1) / dx(1)
      else
        left = 2.0_dp / (dx(i - 1) / k(i - 1) + dx(i) / k(i))
      end if
      if (i == n) then
        right = 2.0_dp * k(n) / dx(n)
      else
        right = 2.0_dp / (dx(i) / k(i) + dx(i + 1) / k(i + 1))
      end if
      lower(i) = -left
      upper(i) = -right
      diagonal(i) = c(i) * dx(i) / dt + left + right
      t(i) = t(i) * c(i) * dx(i) / dt
      if (i == 1) t(i) = t(i) + left * inside
      if (i == n) t(i) = t(i) + right * outside
    end do
    do i = 2, n
      if (abs(diagonal(i - 1)) < tiny(1.0_dp)) then
        info = i
        return
      end if
      diagonal(i) = diagonal(i) - lower(i) / diagonal(i - 1) * upper(i - 1)
      t(i) = t(i) - lower(i) / diagonal(i - 1) * t(i - 1)
    end do
    t(n) = t(n) / diagonal(n)
    do i = n - 1, 1, -1
      t(i) = (t(i) - upper(i) * t(i + 1)) / diagonal(i)
    end do
  end subroutine step_implicit

  function heat_flux(n, dx, k, t, inside) result(q)
    integer, intent(in) :: n
    real(dp), intent(in) :: dx(n), k(n), t(n), inside
    real(dp) :: q
    q = k(1) * (inside - t(1)) / (0.5_dp * dx(1))
  end function heat_flux

  pure real(dp) function norm_max(x, y)
    real(dp), intent(in) :: x(:)
    real(dp), intent(in) :: y
    norm_max = maxval(abs(x - y))
  end function norm_max

  pure real(dp) function norm_two(x, y)
    real(dp), intent(in) :: x(:), y(:)
    norm_two = sqrt(sum((x - y) ** 2))
  end function norm_two
end module wall_solver

subroutine relax(n, t, target, steps)
  integer, intent(in) :: n
  integer, intent(out) :: steps
  double precision, intent(inout) :: t(n)
  double precision, intent(in) :: target
  double precision weight(4)
  logical verbose
  character(len=12) title
  common /options/ maxit, tol
  data weight /0.5d0, 0.75d0, 2*0.9d0/
  data title, verbose /'relaxation', .false./
  data omega, epsfac /1.4, 1.0e-3/
  save weight, title
  steps = 0
10 continue
  steps = steps + 1
  change = 0.0
  do i = 2, n - 1
    old = t(i)
    t(i) = t(i) + omega * weight(mod(steps, 4) + 1) * (0.5d0 * (t(i - 1) + t(i + 1)) - t(i))
    change = max(change, abs(real(t(i)) - old))
  end do
  if (verbose) write (*, '(a, i6, es12.4)') title, steps, change
  if (change .gt. epsfac * abs(target) .and. steps .lt. maxit) go to 10
end subroutine relax

subroutine setopt(iters, x)
  integer, intent(in) :: iters
  real, intent(in) :: x
  common /options/ maxit, tol
  maxit = iters
  tol = x
end subroutine setopt
