package schedules

// MoreTicks returns how many ticks more, or fewer if it is negative, the timers of a
// process get in a round, if a round has so many, by its clock: 1 runs fast, -1 slow,
// 0 as it should; and by the rounds that it jumps ahead at the start of the round.
//
// A fast clock ticks twice as often. A slow one ticks half as often: if a round has an
// odd number of ticks the odd rounds lose one more than the even ones, so that of
// one tick a round those of odd rounds are lost. It counts the rounds of the execution
// and not those of the fault, so that two faults in a row are the same as one. A clock
// that jumps ahead by n rounds makes up for the ticks of n rounds at once.
func MoreTicks(ticks, clock, jump, round int) int {
	more := jump * ticks
	switch {
	case clock > 0:
		more += ticks
	case clock < 0 && round%2 == 1:
		more -= ticks - ticks/2
	case clock < 0:
		more -= ticks / 2
	}
	return more
}
