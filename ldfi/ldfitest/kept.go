package ldfitest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// keptFor returns the files with the schedules that are executed before a property is
// searched: ends of programs, which a search ignores, kept schedules of the property
// itself, and panics.
func keptFor(dir, property string) (all []string, err error) {
	for _, name := range []string{engine.NoExit, property, engine.NoPanic} {
		files, _, err := schedules.KeptFiles(dir, name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if !slices.Contains(all, file) { // a property may be called no_exit
				all = append(all, file)
			}
		}
	}
	return all, nil
}

// readKept returns the schedule that is kept in a file.
func readKept(file string) (rounds.Schedule, error) {
	schedule, err := schedules.ReadKept(file)
	if syntax := (*rounds.SyntaxError)(nil); errors.As(err, &syntax) {
		err = doesNotFit(file, syntax)
	}
	return schedule, err
}

// doesNotFit is the error of a schedule that cannot be executed.
func doesNotFit(file string, err error) error {
	return fmt.Errorf("%s: the schedule that is kept there does not fit the system any more: %w\nDelete the file if the system was changed on purpose", file, err)
}
