// Load stores a value on the first server that takes it, and ends with status 1 if another
// server does not have it later.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var client = http.Client{Timeout: 100 * time.Millisecond}

func main() {
	servers := strings.Split(os.Args[1], ",")
	if !put(servers) {
		return // no promise was made
	}
	log.Print("stored")
	for range 2 {
		for _, server := range servers {
			value, ok := get(server)
			if ok && value == "1" {
				return
			}
			log.Printf("%s has %q", server, value)
		}
		time.Sleep(50 * time.Millisecond)
	}
	log.Fatal("what was stored is lost")
}

func put(servers []string) bool {
	for _, server := range servers {
		r, err := http.NewRequest("PUT", "http://"+server+"/x", strings.NewReader("1"))
		if err != nil {
			log.Fatal(err)
		}
		answer, err := client.Do(r)
		if err != nil {
			log.Print(err)
			continue
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	}
	return false
}

func get(server string) (value string, ok bool) {
	answer, err := client.Get("http://" + server + "/x")
	if err != nil {
		return "", false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err == nil && answer.StatusCode == http.StatusOK
}
