package ldfitest

import (
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/kept"
	"github.com/lineage-driven/ldfi/rounds"
)

// readKept returns the schedule that is kept in a file.
func readKept(file string) (rounds.Schedule, error) {
	schedule, err := kept.Read(file)
	if syntax := (*rounds.SyntaxError)(nil); errors.As(err, &syntax) {
		err = doesNotFit(file, syntax)
	}
	return schedule, err
}

// doesNotFit is the error of a schedule that cannot be executed.
func doesNotFit(file string, err error) error {
	return fmt.Errorf("%s: the schedule that is kept there does not fit the system any more: %w\nDelete the file if the system was changed on purpose", file, err)
}
