package ldfitest

import (
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/kept"
	"github.com/lineage-driven/ldfi/rounds"
)

// readKept returns the schedule that is kept in a file, which has to be one of
// the system.
func readKept(file string, b rounds.Bounds) (rounds.Schedule, error) {
	schedule, err := kept.Read(file)
	var syntax *rounds.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return rounds.Schedule{}, doesNotFit(file, syntax)
	case err != nil:
		return rounds.Schedule{}, err
	}
	if err := schedule.Check(b.Processes, b.EOT); err != nil {
		return rounds.Schedule{}, doesNotFit(file, err)
	}
	return schedule, nil
}

// doesNotFit is the error of a schedule that cannot be executed.
func doesNotFit(file string, err error) error {
	return fmt.Errorf("%s: the schedule that is kept there does not fit the system any more: %w\nDelete the file if the system was changed on purpose", file, err)
}
