package subject

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/rounds"
)

// content is a file and a hash of what is in it. The names of files belong to a
// key, because answers have them.
type content struct{ File, Hash string }

func contentOf(file string, data []byte) content {
	sum := sha256.Sum256(data)
	return content{file, hex.EncodeToString(sum[:])}
}

// key covers the texts of all files, included ones too.
func (p *protocol) key() (string, error) {
	var contents []content
	for _, file := range p.program.Files {
		contents = append(contents, contentOf(file, []byte(p.program.Text(file))))
	}
	return keyOf("protocol", contents, struct {
		Bounds rounds.Bounds
		Goals  string
	}{p.bounds(), p.goals})
}

// Key is [Opened.Key], for which no host has to be started.
func (s *Subject) Key() (string, error) {
	if s.System != "" {
		return s.systemKey()
	}
	p, err := openProtocol(s)
	if err != nil {
		return "", err
	}
	return p.key()
}

// systemKey covers what the user says that the answers of the host depend on.
func (s *Subject) systemKey() (string, error) {
	if len(s.Inputs) == 0 {
		return "", nil
	}
	var contents []content
	for _, files := range [][]string{s.Inputs, s.Properties} {
		for _, file := range files {
			data, err := os.ReadFile(s.path(file))
			if err != nil {
				return "", fmt.Errorf("reading what the answers of the host depend on: %w", err)
			}
			contents = append(contents, contentOf(s.path(file), data))
		}
	}
	return keyOf("system", contents, struct {
		Dir, System, Name, Strategy string
		Bounds                      map[string]string
		Executions                  int
		Seed                        uint64
	}{s.Dir, s.System, s.Name, s.Strategy, s.Bounds, s.Executions, s.Seed})
}

func keyOf(kind string, contents []content, rest any) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{kind, contents, rest}); err != nil {
		return "", fmt.Errorf("naming a question: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
