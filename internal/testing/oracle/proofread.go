package oracle

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// step adds a clause, or takes one away.
type step struct {
	deletes bool
	lits    []int
}

// readFormula reads the DIMACS format.
func readFormula(text []byte) (clauses [][]int, err error) {
	declared := -1
	var clause []int
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "c":
			continue
		case words[0] == "p":
			if _, err := fmt.Sscanf(line, "p cnf %d %d", new(int), &declared); err != nil {
				return nil, err
			}
			continue
		}
		for _, word := range words {
			l, err := strconv.Atoi(word)
			if err != nil {
				return nil, err
			}
			if l != 0 {
				clause = append(clause, l)
				continue
			}
			clauses, clause = append(clauses, clause), nil
		}
	}
	if len(clauses) != declared || clause != nil {
		return nil, fmt.Errorf("%d clauses are declared, and there are %d", declared, len(clauses))
	}
	return clauses, nil
}

// readProof reads either form of DRAT. Only the binary one has bytes that are no text.
func readProof(proof []byte) ([]step, error) {
	if strings.Trim(string(proof), "0123456789-d \t\r\n") != "" {
		return readBinary(proof)
	}
	var steps []step
	for line := range strings.Lines(string(proof)) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		var s step
		if words[0] == "d" {
			s.deletes, words = true, words[1:]
		}
		for i, word := range words {
			l, err := strconv.Atoi(word)
			if err != nil || (l == 0) != (i == len(words)-1) {
				return nil, fmt.Errorf("a line that is no clause: %q", line)
			}
			if l != 0 {
				s.lits = append(s.lits, l)
			}
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// readBinary reads a and d, each with literals as numbers of seven bits a byte, the lowest
// first: twice the variable, and one more if it is negated; 0 ends a clause.
func readBinary(proof []byte) (steps []step, err error) {
	for len(proof) > 0 {
		s := step{deletes: proof[0] == 'd'}
		if proof[0] != 'a' && proof[0] != 'd' {
			return nil, fmt.Errorf("a step that begins with %q", proof[0])
		}
		proof = proof[1:]
		for {
			number, shift := 0, 0
			for len(proof) > 0 && proof[0] >= 0x80 && shift < 56 {
				number, shift, proof = number|int(proof[0]&0x7f)<<shift, shift+7, proof[1:]
			}
			if len(proof) == 0 {
				return nil, errors.New("it ends within a clause")
			}
			number, proof = number|int(proof[0])<<shift, proof[1:]
			if number == 0 {
				break
			}
			l := number / 2
			if number%2 == 1 {
				l = -l
			}
			s.lits = append(s.lits, l)
		}
		steps = append(steps, s)
	}
	return steps, nil
}
