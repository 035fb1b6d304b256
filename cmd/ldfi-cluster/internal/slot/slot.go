package slot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/work"
)

// Options say who does the units of a slot, and what they may use.
type Options struct {
	Ldfi   string        // the program ldfi
	Build  string        // which one it is: units of another one are refused
	Keeper []string      // the command line of [Keep]; none: this program with the argument keep
	Dir    string        // where slots have their directories; "": that for temporary files
	Memory uint64        // resident memory of ldfi and of all that it starts, in bytes; 0: any
	Time   time.Duration // how long a unit may take; 0: as long as who asks allows
	Grace  time.Duration // how long it may take longer to say what is known by then; 0: 10 seconds
	Cores  int           // how many a unit uses; 0: all
	Hosts  bool          // programs that come with units are started
	Files  int64         // of a unit, in bytes; 0: 1 GiB
	Answer int64         // of a unit, in bytes; 0: 64 MiB
}

// Slot does units, one at a time.
type Slot struct {
	options Options
	dir     *files.Scratch
	root    *os.Root // of dir
	child   *child   // does units; nil: is to be started
}

// New makes a slot with a directory of its own, and removes the directories of slots whose
// processes were killed. The first unit starts ldfi.
func New(o Options) (*Slot, error) {
	ldfi, err := exec.LookPath(o.Ldfi)
	if err != nil {
		return nil, fmt.Errorf("looking for ldfi, which does units: %w", err)
	}
	if o.Ldfi, err = filepath.Abs(ldfi); err != nil {
		return nil, err
	}
	if len(o.Keeper) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		o.Keeper = []string{self, "keep"}
	}
	o.Grace = cmp.Or(o.Grace, 10*time.Second)
	o.Files = cmp.Or(o.Files, 1<<30)
	o.Answer = cmp.Or(o.Answer, 64<<20)
	if o.Hosts {
		if err := conceal(); err != nil {
			return nil, fmt.Errorf("hiding the environment of this process from programs that come with units: %w", err)
		}
	}
	dir, err := files.NewScratch(o.Dir, "ldfi-slot-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for units: %w", err)
	}
	root, err := os.OpenRoot(dir.Path())
	if err != nil {
		return nil, errors.Join(err, dir.Remove())
	}
	return &Slot{options: o, dir: dir, root: root}, nil
}

// Do does a unit. Fetch returns what is in a file, by its digest.
//
// A unit that cannot be done is a result with a failure that counts as one try, and an error
// of the question one that counts as none. Do returns an error if the unit is not to blame:
// the context has ended, by which all that runs for the unit is killed, a file cannot be had,
// or the machine has no room for it. Somebody else may do it then.
func (s *Slot) Do(ctx context.Context, u *work.Unit, limit time.Duration, fetch func(digest string) ([]byte, error)) (*work.Result, error) {
	begun := time.Now()
	r := &work.Result{Address: u.Address(), Build: s.options.Build}
	done, log, err := s.done(ctx, u, limit, fetch)
	var f failure
	switch {
	case errors.As(err, &f):
		r.Failure, r.Log, r.Tries = f.Error(), log, 1
	case err != nil:
		return nil, err
	case done.Error != "":
		r.Failure, r.Log, r.Final = done.Error, log, done.Final
	default:
		r.Answer, r.Final = done.Answer, done.Final
		if cut := s.options.Time > 0 && (limit == 0 || s.options.Time < limit); cut && !r.Final {
			r.Log = fmt.Sprintf("the worker gives a unit %s (--time): this is what was known by then\n", s.options.Time)
		}
	}
	r.Elapsed = time.Since(begun)
	return r, nil
}

// done returns what ldfi said of a unit, and its log.
func (s *Slot) done(ctx context.Context, u *work.Unit, limit time.Duration, fetch func(digest string) ([]byte, error)) (done *work.Done, log string, err error) {
	if err := s.refuses(u); err != nil {
		return nil, "", err
	}
	for {
		if err := s.bring(ctx, u, fetch); err != nil {
			return nil, "", err
		}
		fresh := s.child == nil
		done, log, err = s.ask(ctx, u, limit)
		_ = s.clear() // of which bring says what is wrong
		if !errors.As(err, new(failure)) || errors.As(err, new(overtime)) || fresh {
			return done, log, err
		}
		// The units before it in the same process may be to blame.
	}
}

// Close kills what runs and removes the directory.
func (s *Slot) Close() error {
	s.stop()
	return errors.Join(s.root.Close(), s.dir.Remove())
}
