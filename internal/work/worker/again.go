package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/work"
)

// Again does a unit of any kind in this process, on one core, and says by what an answer
// differs from what comes of it; "" if by nothing.
func (w *Worker) Again(ctx context.Context, u *work.Unit, file func(digest string) ([]byte, error), answer json.RawMessage) (difference string, err error) {
	dir, err := files.NewScratch("", "ldfi-again-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, dir.Remove()) }()
	inside, err := dir.Mkdir("unit")
	if err != nil {
		return "", err
	}
	if err := Unpack(inside, u, file); err != nil {
		return "", err
	}
	d := w.Do(ctx, &work.Task{Unit: u, Dir: inside, Hosts: true, Workers: 1}) // it comes from this process
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case d.Error != "":
		return "", errors.New(d.Error)
	case !d.Final:
		return "", errors.New("it came to no end here")
	case !json.Valid(answer):
		return "it cannot be read: it is no JSON", nil
	}
	if difference, err = newComparison(answer, d.Answer).value(nil); err != nil {
		return "", fmt.Errorf("comparing two answers: %w", err)
	}
	return difference, nil
}
