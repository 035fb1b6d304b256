// Load publishes messages to nsqd by HTTP, one after another, and asks at the end how many
// there are that nobody has taken: at least as many as were acknowledged.
//
//	load http://n1:4151 5
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// stats is what nsqd tells of itself.
type stats struct {
	Topics []struct {
		Name  string `json:"topic_name"`
		Depth int    `json:"depth"`
	} `json:"topics"`
}

// until tries a request until it is answered, and returns how often it was tried. That it is
// not for long promises nothing, and is the end.
func until(method, url, body string) (answer []byte, tries int) {
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		tries++
		request, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			answer, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
		if err == nil && response.StatusCode == http.StatusOK {
			return answer, tries
		}
		log.Printf("%s %s: %v", method, url, err)
	}
	log.Print("nobody answers")
	os.Exit(0)
	return nil, 0
}

func main() {
	log.SetFlags(0)
	http.DefaultClient.Timeout = 500 * time.Millisecond
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	most := 0 // each try may have been heard
	for i := range n {
		_, tries := until("POST", os.Args[1]+"/pub?topic=orders", fmt.Sprint("order ", i))
		log.Printf("acknowledged order=%d", i)
		most += tries
	}
	time.Sleep(200 * time.Millisecond)
	said, _ := until("GET", os.Args[1]+"/stats?format=json", "")
	var s stats
	if err := json.Unmarshal(said, &s); err != nil {
		log.Fatalf("%s: %v", said, err)
	}
	depth := 0
	for _, topic := range s.Topics {
		depth += topic.Depth
	}
	if depth < n || depth > most {
		log.Fatalf("%d messages were acknowledged and at most %d sent, and there are %d", n, most, depth)
	}
}
