package subject

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/rounds"
)

// content is a file and a hash of its content. Keys have the names of files, because
// answers have them.
type content struct{ File, Hash string }

func contentOf(file string, data []byte) content {
	return content{file, work.Digest(data)}
}

// Key covers the texts of all files, included ones too.
func (p *OpenedProtocol) Key() (string, error) {
	return p.keyWith("protocol", func(file string) string { return file })
}

// keyWith is a key with the files under other names.
func (p *OpenedProtocol) keyWith(kind string, called func(file string) string) (string, error) {
	var contents []content
	for _, file := range p.program.Files {
		contents = append(contents, contentOf(called(file), []byte(p.program.Text(file))))
	}
	if p.guide != nil {
		contents = append(contents, contentOf(called(p.question.Guide), []byte(p.guide.Text())))
	}
	for _, relation := range p.instead {
		contents = append(contents, contentOf("instead of", []byte(relation)))
	}
	return keyOf(kind, contents, struct {
		Bounds    rounds.Bounds
		Goals     string
		Solver    string `json:",omitempty"`
		AnyRounds bool   `json:",omitempty"`
		Sizes     []int  `json:",omitempty"`
		Hold      bool   `json:",omitempty"`
	}{p.limits, p.goals, p.question.Solver, p.question.AnyRounds, p.question.Sizes, p.question.Hold})
}

// Key is that of the question.
func (h *OpenedSystem) Key() (string, error) { return h.question.Key() }

// Key covers the files and settings on which the answers of the host depend, as the user
// lists them.
func (s *System) Key() (string, error) {
	if len(s.Inputs) == 0 {
		return "", nil
	}
	var contents []content
	inputs := s.Inputs
	if s.Guide != "" {
		inputs = append(append([]string{}, inputs...), s.Guide)
	}
	for _, names := range [][]string{inputs, s.Properties} {
		for _, file := range names {
			h := sha256.New()
			if err := files.Copy(h, s.path(file), files.Program); err != nil {
				return "", fmt.Errorf("reading what the answers of the host depend on: %w", err)
			}
			contents = append(contents, content{s.path(file), hex.EncodeToString(h.Sum(nil))})
		}
	}
	return keyOf("system", contents, struct {
		Dir, System, Name, Strategy string
		Bounds                      map[string]string
		Executions                  int
		Seed                        uint64
		GoroutineOrders             bool `json:",omitempty"`
		Hold                        bool `json:",omitempty"`
	}{s.Dir, s.Command, s.Name, s.Strategy, s.Bounds, s.Executions, s.Seed, s.GoroutineOrders, s.Hold})
}

// Identity covers the files, with their names in the directory of the protocol.
func (p *OpenedProtocol) Identity(string) (string, error) {
	return p.keyWith("version of a protocol", func(file string) string {
		if local, err := filepath.Rel(p.question.Dir, file); err == nil && p.question.Dir != "" {
			return local
		}
		return file
	})
}

// Identity covers the program that the command starts, which host names.
func (h *OpenedSystem) Identity(host string) (string, error) {
	if host == "" {
		return "", nil
	}
	properties, err := h.question.properties()
	if err != nil {
		return "", err
	}
	contents := []content{contentOf("", []byte(host))}
	for _, p := range properties {
		contents = append(contents, contentOf(p.Name, []byte(p.Rules.Text)))
	}
	if h.guide != nil {
		contents = append(contents, contentOf(h.guide.Name(), []byte(h.guide.Text())))
	}
	s := h.question
	return keyOf("version of a system", contents, struct {
		Name, Strategy string
		Bounds         map[string]string
		Executions     int
		Seed           uint64

		GoroutineOrders bool `json:",omitempty"`
		Hold            bool `json:",omitempty"`
	}{h.Name, s.Strategy, s.Bounds, s.Executions, s.Seed, s.GoroutineOrders, s.Hold})
}

func keyOf(kind string, contents []content, rest any) (string, error) {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode([]any{kind, contents, rest}); err != nil {
		return "", fmt.Errorf("naming a question: %w", err)
	}
	return work.Digest(text.Bytes()), nil
}
