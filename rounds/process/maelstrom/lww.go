package maelstrom

import "time"

// replicas are stores that know nothing of each other for a while: every operation is
// that of one of them, and from time to time they tell each other, where the last
// write of a key wins.
type replicas struct {
	random interface{ IntN(int) int }
	stores []keys
	writes []map[string]int // the number of the last write of each key that a store knows
	count  int
	merged time.Duration
}

// apart is how long replicas do not tell each other anything.
const apart = time.Second

func newReplicas(random interface{ IntN(int) int }) *replicas {
	r := &replicas{random: random}
	for range 5 {
		r.stores = append(r.stores, keys{})
		r.writes = append(r.writes, map[string]int{})
	}
	return r
}

func (r *replicas) answer(now time.Duration, from string, asked Body) Body {
	if now-r.merged > apart {
		r.merged = now
		r.merge()
	}
	i := r.random.IntN(len(r.stores))
	told := r.stores[i].answer(now, from, asked)
	if asked.Type() != "read" && told.Type() != "error" {
		r.count++
		r.writes[i][compact(asked["key"])] = r.count
	}
	return told
}

// merge lets all replicas have the last write of every key.
func (r *replicas) merge() {
	value, last := keys{}, map[string]int{}
	for i, writes := range r.writes {
		for key, write := range writes {
			if write > last[key] {
				last[key], value[key] = write, r.stores[i][key]
			}
		}
	}
	for i := range r.stores {
		for key, write := range last {
			r.stores[i][key], r.writes[i][key] = value[key], write
		}
	}
}
