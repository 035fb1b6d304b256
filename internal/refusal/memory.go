package refusal

import "github.com/lineage-driven/ldfi/internal/limits"

// Memory is the kind of the limit of a search whose facts take too much memory.
const Memory = "memory"

// OfMemory returns that an evaluation was stopped because its facts take more memory than
// it may.
func OfMemory(c limits.MemoryCount, relation string, round int) *LimitError {
	return &LimitError{What: Memory, Relation: relation, Round: round, memory: c}
}
