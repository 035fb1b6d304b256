package hunt

// Seeds are those of some inputs: so many, from the first on.
type Seeds struct {
	First uint64 `json:"first"`
	Count uint64 `json:"count"`
}

// Last is the last of the seeds.
func (s Seeds) Last() uint64 { return s.First + s.Count - 1 }

// Divide divides seeds into so many shards, which have as many as each other, or one more.
// There are fewer shards if there are not so many seeds.
func (s Seeds) Divide(shards int) []Seeds {
	n := min(uint64(max(shards, 1)), s.Count)
	var all []Seeds
	first := s.First
	for i := range n {
		count := s.Count / n
		if i < s.Count%n {
			count++
		}
		all = append(all, Seeds{first, count})
		first += count
	}
	return all
}
