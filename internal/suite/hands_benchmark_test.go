package suite

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// idle are hands that have done everything: what is measured is what is left to do here.
type idle struct{ answer json.RawMessage }

func (h *idle) Do(_ context.Context, u *work.Unit, _ time.Duration, file func(string) ([]byte, error)) (*work.Result, error) {
	return &work.Result{Address: u.Address(), Answer: h.answer, Final: true}, nil
}
func (*idle) Doubt(*work.Unit, *work.Result, func(string) ([]byte, error), error) {}
func (*idle) Here(string)                                                         {}
func (*idle) Slots() int                                                          { return 10 }
func (*idle) Build() string                                                       { return "v1" }

// BenchmarkHandedCase is what a case costs that a worker does.
func BenchmarkHandedCase(b *testing.B) {
	b.Chdir("../..")
	for _, file := range []string{"testdata/protocols/delivery/ack12.ded", "testdata/protocols/paxos/synod.ded", "testdata/protocols/commit/3pc.ded"} {
		b.Run(file, func(b *testing.B) {
			o, err := (&subject.Protocol{Files: []string{file}}).Open(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			a, err := o.Search(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			text, _ := json.Marshal(a)
			s := &Suite{File: "ldfi.yaml"}
			for i := range b.N {
				s.Cases = append(s.Cases, Case{Name: "c" + strconv.Itoa(i), Subject: &subject.Protocol{Files: []string{file}}, Expect: result.Holds})
			}
			b.ResetTimer()
			r := s.Run(b.Context(), Options{Hands: &idle{text}, Unkept: true, Workers: 1})
			if r.Count(Error)+r.Count(Inconclusive) > 0 {
				b.Fatal(r.Cases[0].Error)
			}
		})
	}
}
