package subject

import (
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Sound reports what no search answers, such as a verdict without what belongs to it, of
// an answer that somebody else has written.
func Sound(a *result.Answer) error {
	switch {
	case a.Verdict == "" || a.Scope.Scenarios == nil:
		return errors.New("its answer lacks the verdict or the scope")
	case a.Verdict != result.Holds && a.Verdict != result.Violated && a.Verdict != result.Inconclusive:
		return fmt.Errorf("there is no verdict %q", a.Verdict)
	case a.Verdict == result.Inconclusive && a.Limit == nil:
		return errors.New("its answer does not say why it is inconclusive")
	case a.Verdict == result.Violated && len(a.Counterexamples) == 0:
		return errors.New("its answer does not say what is violated")
	}
	for _, c := range a.Counterexamples {
		if len(c.Violations) == 0 {
			return errors.New("its answer does not say what is violated")
		}
		if c.Execution == nil {
			continue
		}
		if err := c.Execution.Validate(); err != nil {
			return err
		}
	}
	return nil
}
