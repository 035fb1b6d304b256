// Load adds silences to members of a cluster of Alertmanager, one to each in turn, and looks
// at the end whether all members have all that were acknowledged.
//
//	load n1:9093,n2:9093,n3:9093
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

// ask returns the answer of a member; a member that does not answer has none.
func ask(method, url, body string) ([]byte, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, said)
	}
	return said, err
}

func silence(i int) string {
	now := time.Now().UTC()
	return fmt.Sprintf(`{"matchers":[{"name":"order","value":"%d","isRegex":false}],"startsAt":%q,"endsAt":%q,"createdBy":"load","comment":"of load"}`,
		i, now.Format(time.RFC3339), now.Add(time.Hour).Format(time.RFC3339))
}

func main() {
	log.SetFlags(0)
	http.DefaultClient.Timeout = time.Second
	members := strings.Split(os.Args[1], ",")
	time.Sleep(3 * time.Second) // they find each other
	acknowledged := map[string]bool{}
	for i, member := range members {
		said, err := ask("POST", "http://"+member+"/api/v2/silences", silence(i))
		var got struct{ SilenceID string }
		if err == nil {
			err = json.Unmarshal(said, &got)
		}
		if err != nil {
			log.Printf("not acknowledged order=%d: %v", i, err)
			continue
		}
		acknowledged[got.SilenceID] = true
		log.Printf("acknowledged order=%d id=%s", i, got.SilenceID)
	}
	time.Sleep(6 * time.Second) // all is well by then
	missing := ""
	for _, member := range members {
		said, err := ask("GET", "http://"+member+"/api/v2/silences", "")
		var have []struct{ ID string }
		if err == nil {
			err = json.Unmarshal(said, &have)
		}
		if err != nil {
			log.Printf("%s does not answer: %v", member, err)
			continue // which promises nothing
		}
		found := 0
		for _, s := range have {
			if acknowledged[s.ID] {
				found++
			}
		}
		log.Printf("member=%s silences=%d", member, found)
		if found < len(acknowledged) {
			missing = fmt.Sprintf("%s has %d of %d silences that were acknowledged", member, found, len(acknowledged))
		}
	}
	if missing != "" {
		log.Fatal(missing)
	}
}
