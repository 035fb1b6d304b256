package suite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Merge joins reports about the parts of a suite to a report about the whole suite. It is
// an error if the reports are about different suites, or if a case is missing or in two of
// them.
func Merge(parts ...*Report) (*Report, error) {
	if len(parts) == 0 {
		return nil, errors.New("there are no reports to merge")
	}
	whole := *parts[0]
	whole.Shard, whole.Cases, whole.Warnings = "", []CaseResult{}, []string{}
	for _, p := range parts {
		if p.Digest != whole.Digest || p.Suite != whole.Suite || p.Total != whole.Total {
			return nil, fmt.Errorf("the reports are about different suites: %s and %s, or different versions or sets of files of it", whole.Suite, p.Suite)
		}
		whole.Cases = append(whole.Cases, p.Cases...)
		whole.Warnings = append(whole.Warnings, p.Warnings...)
	}
	slices.SortStableFunc(whole.Cases, func(a, b CaseResult) int { return cmp.Compare(a.Index, b.Index) })
	return &whole, whole.complete()
}

// complete reports cases that are missing or there twice.
func (r *Report) complete() error {
	var missing, twice []string
	seen := map[int]bool{}
	for _, c := range r.Cases {
		if seen[c.Index] {
			twice = append(twice, c.Name)
		}
		seen[c.Index] = true
	}
	for i := 0; i < r.Total && len(missing) <= most; i++ {
		if !seen[i] {
			missing = append(missing, fmt.Sprintf("case %d", i+1))
		}
	}
	var all []error
	if len(missing) > 0 {
		all = append(all, fmt.Errorf("%d of %d cases are in none of the reports (%s): is a shard missing?", r.Total-len(seen), r.Total, few(missing)))
	}
	if len(twice) > 0 {
		all = append(all, fmt.Errorf("these cases are in several reports: %s", few(twice)))
	}
	return errors.Join(all...)
}

// most limits the names that are listed.
const most = 5

// few lists the first of many.
func few(names []string) string {
	if len(names) > most {
		names = append(names[:most:most], "...")
	}
	return strings.Join(names, ", ")
}
