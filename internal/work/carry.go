package work

import (
	"encoding/json"
	"time"
)

// ldfi starts ldfi-cluster carry, and writes it orders on standard input, a line each. It
// gets reports on standard output. When standard input ends, ldfi-cluster takes back all
// units that nobody has finished, and ends. It says what is wrong with its server or its
// flags on standard error, and with a report that has Error, after which it ends.

// Order is one of: a file that units name, a unit, that a unit is not needed any more, or
// that a worker is not believed any more.
type Order struct {
	File   *File `json:"file,omitempty"`   // comes before the first unit that names it
	Unit   *Unit `json:"unit,omitempty"`   // to be done
	Number int64 `json:"number,omitempty"` // of the unit, by which reports name it; from 1 on

	// Limit is how long the unit may take, in nanoseconds; 0: as long as workers allow. It
	// does not belong to the address: a result that a limit made is not final.
	Limit time.Duration `json:"limit,omitempty"`

	Cancel int64 `json:"cancel,omitempty"` // the number of a unit that is not needed any more

	// Distrust names a worker that has said what is not true, as whoever asks has found twice.
	// Its units are asked again; what it said is forgotten when another one finds the same.
	// It may be the last order.
	Distrust string `json:"distrust,omitempty"`

	Build string `json:"build,omitempty"` // of who asks, in the first order, which has nothing else
}

// File is what is in a file.
type File struct {
	Digest  string `json:"digest"`
	Content []byte `json:"content"` // in base64
}

// Report is one of: what became of a unit, how all of them stand, or an error.
type Report struct {
	Number int64   `json:"number,omitempty"` // of a unit
	Result *Result `json:"result,omitempty"` // what became of it
	Before bool    `json:"before,omitempty"` // the result was there before the unit was ordered: nobody has done anything for it

	// Somebody else has found that who did it has said what is not true. That is the word of
	// one.
	Accused bool `json:"accused,omitempty"`

	// It could be neither handed out nor kept, and may be done by who asks: the store of
	// the server is full, or the unit is too large for it.
	Refused string `json:"refused,omitempty"`

	Crew  *Workers `json:"crew,omitempty"`  // the first report has it, and one each second after that
	Error string   `json:"error,omitempty"` // the last report: nothing can be handed out any more
}

// Workers is who is there, and what they do.
type Workers struct {
	Workers []Worker `json:"workers"`
	Waiting int      `json:"waiting"`        // units of this coordinator that nobody has begun
	Running int      `json:"running"`        // that somebody does
	Lost    bool     `json:"lost,omitempty"` // there is no connection to the server at the moment
}

// Worker is a process that does units.
type Worker struct {
	Name     string    `json:"name"`            // by which others know it
	Build    string    `json:"build"`           // of ldfi: it does units of no other one
	Version  string    `json:"version"`         // of ldfi, which people read
	Platform string    `json:"platform"`        // such as linux/amd64
	Hosts    bool      `json:"hosts,omitempty"` // it starts programs that come with units
	Slots    int       `json:"slots"`           // how many units it does at a time
	Doing    []Doing   `json:"doing,omitempty"` // what it does now
	Done     int64     `json:"done"`            // how many units
	Failed   int64     `json:"failed"`          // how many of them without an answer
	Since    time.Time `json:"since"`           // when it began
}

// Doing is a unit that a worker does.
type Doing struct {
	Address string    `json:"address"` // of the unit
	Kind    Kind      `json:"kind"`
	Since   time.Time `json:"since"` // when it was begun
}

// WriteLine returns a line of JSON.
func WriteLine(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(text, '\n'), err
}
