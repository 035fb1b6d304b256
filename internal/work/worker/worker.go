package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/work"
)

// kinds are what there is to do. Each returns the answer, to be written as JSON, and
// whether it is final, as in [work.Result].
var kinds = map[work.Kind]func(context.Context, *work.Task) (answer any, final bool, err error){
	work.Search: search,
	work.Draws:  someDraws,
}

// Worker does units.
type Worker struct {
	Build string // names this ldfi: it does the units of no other one
}

// Do does a task. Files and programs that its unit does not have are never opened.
func (w *Worker) Do(ctx context.Context, t *work.Task) *work.Done {
	if t.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.Limit)
		defer cancel()
	}
	answer, final, err := w.do(ctx, t)
	d := &work.Done{Final: final}
	if err == nil {
		d.Answer, err = json.Marshal(answer)
	}
	if err != nil {
		return &work.Done{Error: err.Error()}
	}
	return d
}

func (w *Worker) do(ctx context.Context, t *work.Task) (answer any, final bool, err error) {
	if t.Unit == nil {
		return nil, false, fmt.Errorf("a task without a unit")
	}
	if err := t.Unit.Check(); err != nil {
		return nil, false, err
	}
	if t.Unit.Build != w.Build {
		return nil, false, fmt.Errorf("a unit of the ldfi %q, and this is %q: both have to be the same", t.Unit.Build, w.Build)
	}
	do := kinds[t.Unit.Kind]
	if do == nil {
		return nil, false, fmt.Errorf("a unit of the kind %q, which this ldfi does not do", t.Unit.Kind)
	}
	if answer, final, err = do(ctx, t); err != nil {
		return nil, false, err
	}
	return answer, final, nil
}

// asked reads what a unit asks.
func asked[T any](t *work.Task) (*T, error) {
	ask := new(T)
	if err := json.Unmarshal(t.Unit.Ask, ask); err != nil {
		return nil, fmt.Errorf("reading what a unit asks: %w", err)
	}
	return ask, nil
}

// someDraws makes some executions of a search of a system. What is not judged, or not
// exact, may come to something else the next time.
func someDraws(ctx context.Context, t *work.Task) (any, bool, error) {
	sent, err := asked[subject.SentPart](t)
	if err != nil {
		return nil, false, err
	}
	o, err := sent.Open(ctx, t)
	if err != nil {
		return nil, false, err
	}
	defer o.Close()
	h := o.AsSystem()
	if h == nil {
		return nil, false, subject.ErrParts
	}
	d, err := h.Draw(ctx, sent.Part)
	if err != nil {
		return nil, false, err
	}
	return d, d.Stretch.Unjudged == 0 && d.Stretch.Inexact == "", nil
}

// search answers a question. Where it has no answer who asks finds out why.
func search(ctx context.Context, t *work.Task) (any, bool, error) {
	sent, err := asked[subject.Sent](t)
	if err != nil {
		return nil, false, err
	}
	o, err := sent.Open(ctx, t)
	if err != nil {
		return nil, false, err
	}
	defer o.Close()
	a, err := o.Search(ctx)
	if err != nil {
		return nil, false, err
	}
	return a, subject.Final(ctx, a), nil
}

// Unpack writes the files of a unit into a directory. Any of them may be a program.
func Unpack(dir string, u *work.Unit, file func(digest string) ([]byte, error)) error {
	for name, digest := range u.Files {
		content, err := file(digest)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := subprocess.Unforked(func() error { return os.WriteFile(path, content, 0o700) }); err != nil {
			return err
		}
	}
	return nil
}
