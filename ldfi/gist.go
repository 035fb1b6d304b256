package ldfi

// manyViolations is how many violations are told apart while a question is decided: of
// later rounds it is only asked whether there is any. There can be very many, of each two
// outputs that differ and whoever has them, and what one says of the faults most others
// say too. The reason of a set that is found is that of all of them (around.go).
const manyViolations = 2000

// gist says of which relations it is enough to know whether they have a fact.
func (q *question) gist() map[string]int {
	if len(q.also) > 0 {
		return nil
	}
	return map[string]int{violationRelation: manyViolations}
}
