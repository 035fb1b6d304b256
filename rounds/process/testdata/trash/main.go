// Trash is a server that keeps keys and their values, and its client, which reads what it
// asks from a file: set KEY VALUE or del KEY in each line. What is set stands in one file of
// the server, and what is deleted in another. When it starts it reads the first, and then the
// second: what was deleted and then set again is gone, which is the bug.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"log"
	"net"
	"os"
	"strings"
	"time"
)

func main() {
	if os.Args[1] == "serve" {
		serve()
	}
	load(os.Args[2], os.Args[3])
}

func serve() {
	values := map[string]string{}
	for _, name := range []string{"set", "del"} {
		said, _ := os.ReadFile(name)
		for line := range bytes.Lines(said) {
			apply(values, string(line))
		}
	}
	l, err := net.Listen("tcp", ":80")
	if err != nil {
		log.Fatal(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil {
			line = ""
		}
		if key, ok := strings.CutPrefix(strings.TrimSpace(line), "get "); ok {
			fmt.Fprintln(c, values[key])
		} else if line != "" && keep(line) == nil {
			apply(values, line)
			fmt.Fprintln(c, "ok")
		}
		c.Close()
	}
}

func keep(line string) error {
	f, err := os.OpenFile(line[:3], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		return err
	}
	return f.Sync()
}

func apply(values map[string]string, line string) {
	switch words := strings.Fields(line); {
	case len(words) == 3:
		values[words[1]] = words[2]
	case len(words) == 2:
		delete(values, words[1])
	}
}

// load makes the requests, and then looks what there is.
func load(server, file string) {
	said, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	values := map[string]string{}
	for line := range bytes.Lines(said) {
		ask(server, string(line))
		apply(values, string(line))
	}
	for line := range bytes.Lines(said) {
		key := strings.Fields(string(line))[1]
		if is := ask(server, "get "+key+"\n"); is != values[key] {
			log.Fatalf("%s is %q, and was set to %q", key, is, values[key])
		}
	}
}

// ask asks until there is an answer. Without one for a second the client gives up.
func ask(server, line string) string {
	for range 5 {
		c, err := net.DialTimeout("tcp", server, 200*time.Millisecond)
		if err == nil {
			c.SetDeadline(time.Now().Add(200 * time.Millisecond))
			fmt.Fprint(c, line)
			answer, err := bufio.NewReader(c).ReadString('\n')
			c.Close()
			if err == nil {
				return strings.TrimSpace(answer)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	os.Exit(0)
	return ""
}
