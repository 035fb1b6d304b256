package lockstep_test

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// fold returns the heads of the groups: all that they can come to, or those
// alone that are sure.
func fold(x refInstance, sure, open []firing, possibly bool) ([]firing, error) {
	var folded []firing
	seen := map[string]bool{}
	for _, f := range open {
		if k := group(x, f); !seen[k] {
			seen[k] = true
			more, err := foldGroup(x, f, k, sure, open, possibly)
			if err != nil {
				return nil, err
			}
			folded = append(folded, more...)
		}
	}
	return folded, nil
}

func group(x refInstance, f firing) string {
	if x.rule.Kind == syntax.Async {
		return key(f.head) + f.sender
	}
	return key(f.head)
}

// foldGroup returns the heads of the group with a key.
func foldGroup(x refInstance, f firing, k string, sure, open []firing, possibly bool) ([]firing, error) {
	heads := []firing{f}
	aggregate := 0
	for i, e := range x.rule.Head.Args {
		a, ok := e.(*syntax.Aggregate)
		if !ok {
			continue
		}
		distinct := func(firings []firing) []refMember {
			var values []refMember
			for _, f := range firings {
				if group(x, f) == k && !slices.Contains(values, f.values[aggregate]) {
					values = append(values, f.values[aggregate])
				}
			}
			return values
		}
		results, err := attainable(a.Func, distinct(sure), distinct(open), possibly)
		if err != nil {
			return nil, err
		}
		var next []firing
		for _, h := range heads {
			for _, v := range results {
				head := slices.Clone(h.head)
				head[i] = v
				next = append(next, firing{head: head, sender: h.sender})
			}
		}
		heads = next
		aggregate++
	}
	return heads, nil
}

// attainable returns what an aggregate can come to over all subsets of the open
// values that have the sure ones; unless it may be uncertain, only what it comes
// to when they are the same.
func attainable(f string, sure, open []refMember, possibly bool) ([]specs.Value, error) {
	var rest []refMember
	for _, v := range open {
		if !slices.Contains(sure, v) {
			rest = append(rest, v)
		}
	}
	if len(rest) > 0 && !possibly {
		return nil, nil
	}
	if len(rest) > 10 {
		return nil, errBig
	}
	var results []specs.Value
	for subset := range 1 << len(rest) {
		values := slices.Clone(sure)
		for i, v := range rest {
			if subset>>i&1 == 1 {
				values = append(values, v)
			}
		}
		if v, ok := summarise(f, values); ok && !slices.Contains(results, v) {
			results = append(results, v)
		}
	}
	return results, nil
}

func summarise(f string, members []refMember) (specs.Value, bool) {
	if len(members) == 0 {
		return specs.Value{}, false
	}
	var values []specs.Value
	for _, m := range members {
		values = append(values, m.value)
	}
	switch f {
	case "count":
		return specs.Int(int64(len(values))), true
	case "min":
		return slices.MinFunc(values, specs.Value.Compare), true
	case "max":
		return slices.MaxFunc(values, specs.Value.Compare), true
	}
	total := new(big.Int)
	for _, v := range values {
		if !v.IsInt() {
			return v, false
		}
		total.Add(total, big.NewInt(v.Int()))
	}
	if f == "avg" && total.IsInt64() {
		total.Quo(total, big.NewInt(int64(len(values))))
	}
	return specs.Int(total.Int64()), total.IsInt64()
}
