package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A value is a string, and when it is no longer there.
type value struct {
	text    string
	expires int64 // in milliseconds, 0 for never
}

// A db has the values of all keys. Each write is kept with its time, so that a file or a
// replica that repeats it comes to the same.
type db struct {
	mu      sync.Mutex
	more    *sync.Cond
	values  map[string]value
	changed map[string]int64 // the number of the last write of each key, for WATCH
	count   int64
	touched []string   // the keys that the command has written
	writes  [][]string // of this run: their time, command and arguments
	scripts map[string]*script
	master  string // that is followed
	file    *os.File
	always  bool
}

func newDB() *db {
	db := &db{values: map[string]value{}, changed: map[string]int64{}, scripts: map[string]*script{}}
	db.more = sync.NewCond(&db.mu)
	return db
}

// A turn is one command at one time.
type turn struct {
	db  *db
	now int64
}

func (t turn) get(key string) (value, bool) {
	v, ok := t.db.values[key]
	return v, ok && (v.expires == 0 || t.now < v.expires)
}

func (t turn) put(key string, v value) {
	t.db.values[key] = v
	t.db.touched = append(t.db.touched, key)
}

func (t turn) remove(key string) {
	delete(t.db.values, key)
	t.db.touched = append(t.db.touched, key)
}

// commands are those about keys, by their names: how many arguments they have at least, at
// most (-1 for any number), and whether they write.
var commands = map[string]struct {
	least, most int
	writes      bool
	do          func(t turn, args []string) any
}{
	"GET":     {1, 1, false, get},
	"SET":     {2, 6, true, set},
	"SETNX":   {2, 2, true, setNX},
	"SETEX":   {3, 3, true, func(t turn, args []string) any { return set(t, []string{args[0], args[2], "EX", args[1]}) }},
	"PSETEX":  {3, 3, true, func(t turn, args []string) any { return set(t, []string{args[0], args[2], "PX", args[1]}) }},
	"DEL":     {1, -1, true, del},
	"UNLINK":  {1, -1, true, del},
	"EXISTS":  {1, -1, false, exists},
	"EXPIRE":  {2, 2, true, func(t turn, args []string) any { return expire(t, args[0], args[1], 1000) }},
	"PEXPIRE": {2, 2, true, func(t turn, args []string) any { return expire(t, args[0], args[1], 1) }},
	"PERSIST": {1, 1, true, persist},
	"TTL":     {1, 1, false, func(t turn, args []string) any { return ttl(t, args[0], 1000) }},
	"PTTL":    {1, 1, false, func(t turn, args []string) any { return ttl(t, args[0], 1) }},
	"INCR":    {1, 1, true, func(t turn, args []string) any { return add(t, args[0], "1", 1) }},
	"DECR":    {1, 1, true, func(t turn, args []string) any { return add(t, args[0], "1", -1) }},
	"INCRBY":  {2, 2, true, func(t turn, args []string) any { return add(t, args[0], args[1], 1) }},
	"DECRBY":  {2, 2, true, func(t turn, args []string) any { return add(t, args[0], args[1], -1) }},
	"MGET":    {1, -1, false, mget},
	"KEYS":    {1, 1, false, keys},
	"TIME":    {0, 0, false, func(t turn, _ []string) any { return []any{fmt.Sprint(t.now / 1000), fmt.Sprint(t.now % 1000 * 1000)} }},
	"FLUSHALL": {0, 1, true, func(t turn, _ []string) any {
		for _, key := range slices.Sorted(maps.Keys(t.db.values)) {
			t.remove(key)
		}
		return status("OK")
	}},
}

// check says why a command cannot be done at all.
func check(words []string) error {
	name, args := strings.ToUpper(words[0]), len(words)-1
	switch name {
	case "EVAL", "EVALSHA":
		if args < 2 {
			return fmt.Errorf("ERR %s needs a script and a number of keys", name)
		}
		return nil
	case "SCRIPT":
		return nil
	}
	c, ok := commands[name]
	if !ok {
		return fmt.Errorf("ERR unknown command '%s': this stand-in of Redis does not have it", name)
	}
	if args < c.least || c.most >= 0 && args > c.most {
		return fmt.Errorf("ERR wrong number of arguments for '%s'", name)
	}
	return nil
}

// do does a command now.
func (db *db) do(words []string) any {
	db.mu.Lock()
	defer db.mu.Unlock()
	reply := turn{db, now()}.do(words, nil)
	db.flush()
	return reply
}

// doAll does the commands of a transaction, unless a key that it watches was written.
func (db *db) doAll(queue [][]string, watched map[string]int64) any {
	db.mu.Lock()
	defer db.mu.Unlock()
	for key, count := range watched {
		if db.changed[key] != count {
			return nil
		}
	}
	t, replies := turn{db, now()}, []any{}
	for _, words := range queue {
		replies = append(replies, t.do(words, nil))
	}
	db.flush()
	return replies
}

// do does a command, which can be one of a script.
func (t turn) do(words []string, in *script) any {
	if err := check(words); err != nil {
		return failure(err.Error())
	}
	name, args := strings.ToUpper(words[0]), words[1:]
	switch name {
	case "EVAL", "EVALSHA", "SCRIPT":
		if in != nil {
			return wrong("%s in a script", name)
		}
		return t.script(name, args)
	}
	c := commands[name]
	if !c.writes {
		return c.do(t, args)
	}
	if t.db.master != "" {
		return failure("READONLY this is a replica")
	}
	reply := c.do(t, args)
	t.db.wrote(append([]string{strconv.FormatInt(t.now, 10), name}, args...))
	return reply
}

// wrote keeps a write for replicas, the file and who watches, if it has changed something.
func (db *db) wrote(write []string) {
	if len(db.touched) == 0 {
		return
	}
	db.count++
	for _, key := range db.touched {
		db.changed[key] = db.count
	}
	db.touched = nil
	db.writes = append(db.writes, write)
	if db.file != nil {
		if _, err := db.file.Write(appendCommand(nil, write)); err != nil {
			log.Fatal(err) // Redis takes no more writes
		}
	}
	db.more.Broadcast()
}

// flush makes what was written durable before it is answered, if it is to be.
func (db *db) flush() {
	if db.file == nil || !db.always {
		return
	}
	if err := db.file.Sync(); err != nil {
		log.Fatal(err) // as Redis does
	}
}

// repeat does a write of the file or of the master, at its time.
func (db *db) repeat(write []string) error {
	if len(write) < 2 {
		return errProtocol
	}
	at, err := strconv.ParseInt(write[0], 10, 64)
	c, ok := commands[write[1]]
	if err != nil || !ok || !c.writes || check(write[1:]) != nil {
		return fmt.Errorf("not a write: %q", write)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	c.do(turn{db, at}, write[2:])
	db.wrote(write)
	return nil
}

func get(t turn, args []string) any {
	if v, ok := t.get(args[0]); ok {
		return v.text
	}
	return nil
}

func mget(t turn, args []string) any {
	replies := []any{}
	for _, key := range args {
		replies = append(replies, get(t, []string{key}))
	}
	return replies
}

// set is SET KEY VALUE with the options NX, XX, GET, EX, PX, EXAT, PXAT and KEEPTTL.
func set(t turn, args []string) any {
	old, there := t.get(args[0])
	v, reply, goes := value{text: args[1]}, any(status("OK")), true
	for i := 2; i < len(args); i++ {
		switch option := strings.ToUpper(args[i]); option {
		case "NX":
			goes = goes && !there
		case "XX":
			goes = goes && there
		case "GET":
			reply = get(t, args[:1])
		case "KEEPTTL":
			v.expires = old.expires
		case "EX", "PX", "EXAT", "PXAT":
			i++
			if i == len(args) {
				return wrong("SET: %s needs a number", option)
			}
			n, err := strconv.ParseInt(args[i], 10, 64)
			if err != nil || n <= 0 || n > 1<<50 {
				return wrong("SET: invalid expire time %s", args[i])
			}
			if strings.HasPrefix(option, "EX") {
				n *= 1000
			}
			if !strings.HasSuffix(option, "AT") {
				n += t.now
			}
			v.expires = n
		default:
			return wrong("SET: there is no option %s", args[i])
		}
	}
	if !goes {
		if reply == status("OK") {
			return nil
		}
		return reply
	}
	t.put(args[0], v)
	return reply
}

func setNX(t turn, args []string) any {
	if _, ok := t.get(args[0]); ok {
		return int64(0)
	}
	t.put(args[0], value{text: args[1]})
	return int64(1)
}

func del(t turn, args []string) any {
	n := exists(t, args)
	for _, key := range args {
		if _, ok := t.db.values[key]; ok {
			t.remove(key)
		}
	}
	return n
}

func exists(t turn, args []string) any {
	n := int64(0)
	for _, key := range args {
		if _, ok := t.get(key); ok {
			n++
		}
	}
	return n
}

func expire(t turn, key, after string, unit int64) any {
	n, err := strconv.ParseInt(after, 10, 64)
	if err != nil || n > 1<<50 || n < -1<<50 {
		return wrong("invalid expire time %s", after)
	}
	v, ok := t.get(key)
	if !ok {
		return int64(0)
	}
	if v.expires = t.now + n*unit; n <= 0 {
		t.remove(key)
		return int64(1)
	}
	t.put(key, v)
	return int64(1)
}

func persist(t turn, args []string) any {
	v, ok := t.get(args[0])
	if !ok || v.expires == 0 {
		return int64(0)
	}
	v.expires = 0
	t.put(args[0], v)
	return int64(1)
}

func ttl(t turn, key string, unit int64) any {
	v, ok := t.get(key)
	switch {
	case !ok:
		return int64(-2)
	case v.expires == 0:
		return int64(-1)
	}
	return (v.expires - t.now + unit/2) / unit
}

func add(t turn, key, text string, sign int64) any {
	by, err := strconv.ParseInt(text, 10, 64)
	v, ok := t.get(key)
	if !ok {
		v = value{text: "0"}
	}
	n, err2 := strconv.ParseInt(v.text, 10, 64)
	if err != nil || err2 != nil {
		return wrong("value is not an integer")
	}
	n += sign * by
	v.text = strconv.FormatInt(n, 10)
	t.put(key, v)
	return n
}

// keys knows the pattern *, and those that end with one.
func keys(t turn, args []string) any {
	prefix, all := strings.CutSuffix(args[0], "*")
	if strings.ContainsAny(prefix, "*?[\\") {
		return wrong("KEYS: there are only patterns with one * at their end")
	}
	found := []any{}
	for _, key := range slices.Sorted(maps.Keys(t.db.values)) {
		if _, ok := t.get(key); ok && (key == prefix || all && strings.HasPrefix(key, prefix)) {
			found = append(found, key)
		}
	}
	return found
}
