//! A running `arbiter serve`, and requests to it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::bench::{Bench, CEILING};
use crate::running::{Running, wait_or_say};

/// A server on a free port; dropped, it is killed.
#[derive(Debug)]
pub struct Served {
    server: Running,
    address: String,
}

/// The answer of a server.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: i32,
    /// The body, as text.
    pub text: String,
    /// The body as it was sent.
    pub bytes: Vec<u8>,
    /// A header by its name, in lower case.
    headers: HashMap<String, String>,
}

impl Answer {
    /// A header, by its name in lower case; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

impl Served {
    /// Serves a folder with these further words.
    pub fn start(bench: &Bench, words: &[&str]) -> Served {
        Served::from_command(bench.arbiter([&["serve", "--listen", "127.0.0.1:0"], words].concat()))
    }

    /// A server that this command starts.
    pub fn from_command(mut command: std::process::Command) -> Served {
        let mut server = Running::start(command.stdout(Stdio::piped()));
        let mut line = String::new();
        BufReader::new(server.stdout()).read_line(&mut line).expect("it says where it listens");
        let address = line.trim_end().split(" at ").nth(1).expect("an address").to_owned();
        Served { server, address }
    }

    /// The address of its first page, which ends in a slash.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Its name and port, as a client connects to them.
    pub fn host(&self) -> &str {
        self.address.trim_start_matches("http://").trim_end_matches('/')
    }

    /// A connection on which these bytes were sent.
    pub fn connect(&self, sent: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        stream.write_all(sent).expect("it reads");
        stream
    }

    /// Posts a form to this path, with these headers; nothing that the answer leads to is asked for.
    pub fn form(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Answer {
        self.submit(path, "application/x-www-form-urlencoded", body, headers)
    }

    /// The value at a path, which must be there.
    pub fn value(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).expect("JSON")
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.server.id()
    }

    /// Its process.
    pub fn process(&mut self) -> &mut Running {
        &mut self.server
    }

    /// Asks for what lies at this path, with these headers, until its league is open.
    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        loop {
            let answer = answer(with(minreq::get(format!("{}{path}", self.address)), headers));
            // Each answer that it is being opened comes after seconds.
            if answer.status != 503 || answer.header("refresh").is_empty() {
                return answer;
            }
        }
    }

    /// Posts nothing to this path, with these headers.
    pub fn post(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        answer(with(minreq::post(format!("{}{path}", self.address)), headers))
    }

    /// Posts a body of this media type to this path, with these headers; nothing that the answer leads to
    /// is asked for.
    pub fn submit(&self, path: &str, kind: &str, body: &str, headers: &[(&str, &str)]) -> Answer {
        let request = minreq::post(format!("{}{path}", self.address)).with_body(body);
        let request = request.with_header("content-type", kind).with_follow_redirects(false);
        answer(with(request, headers))
    }

    /// Opens a table by this form, and gives the way to it.
    pub fn sit_down(&self, form: &str) -> String {
        let opened = self.form("play/", form, &[]);
        assert_eq!(opened.status, 303, "{opened:?}");
        format!("play/{}", opened.header("location"))
    }

    /// Plays the game of a person at this table to its end, always the first move, and gives what was seen last. Each sight
    /// is shown to `look`.
    pub fn play_first_moves(&self, at: &str, look: &dyn Fn(&Value)) -> Value {
        let mut seen = Value::Null;
        while seen["ending"]["proof"].is_null() {
            let after = seen["version"].as_u64().map_or(String::new(), |it| format!("?after={it}"));
            seen = self.value(&format!("{at}state{after}"));
            assert!(seen["why"].is_null(), "{seen}");
            look(&seen);
            if let Some(first) = seen["turn"]["moves"].get(0) {
                let sent = json!({"turn": seen["turn"]["number"], "move": first["move"]});
                // The turn may be over by now: what was seen is as old as its version.
                self.submit(&format!("{at}move"), "application/json", &sent.to_string(), &[]);
            }
        }
        seen
    }

    /// The log of the game of a person in a folder, by what was seen last: the command verifies it as the page does.
    pub fn verified_log(bench: &Bench, folder: &str, seen: &Value) -> String {
        let log = format!("{folder}/people/{}", seen["ending"]["log"].as_str().expect("a name"));
        let verified = bench.ok(&format!("verify {log}"));
        let head = seen["ending"]["proof"]["head"].as_str().expect("a head");
        assert!(verified.contains(head), "{verified} {head}");
        bench.text(&log)
    }

    /// The text at a path, once it has these words in it: a log is read in pieces.
    pub fn text_with(&self, path: &str, words: &str) -> String {
        let mut answer = self.get(path, &[]);
        wait_or_say(
            || {
                answer = self.get(path, &[]);
                answer.status == 200 && answer.text.contains(words)
            },
            || format!("{words} at {path}"),
        );
        answer.text
    }

    /// The text at a path, which must be there.
    pub fn text(&self, path: &str) -> String {
        let Answer { status, text, .. } = self.get(path, &[]);
        assert_eq!(status, 200, "{path}: {text}");
        text
    }
}

/// The events of a stream, each as its name and its data.
pub struct Events {
    /// The headers of the stream.
    pub headers: HashMap<String, String>,
    lines: Lines<BufReader<minreq::ResponseLazy>>,
}

impl Events {
    /// Opens the stream at a path.
    pub fn open(served: &Served, path: &str) -> Events {
        let request = minreq::get(format!("{}{path}", served.address)).with_timeout(300);
        let response = request.with_header("accept-encoding", "gzip").send_lazy();
        let response = response.expect("an answer");
        assert_eq!(response.status_code, 200, "{path}");
        let headers = response.headers.clone();
        assert_eq!(headers["content-type"], "text/event-stream", "{path}");
        // A larger buffer would be waited for until it is full.
        Events { headers, lines: BufReader::with_capacity(1, response).lines() }
    }

    /// Waits for the next event.
    pub fn event(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let line = self.lines.next().expect("a line").expect("a line");
            if let Some(event) = line.strip_prefix("event: ") {
                event.clone_into(&mut name);
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return (name, serde_json::from_str(data).expect("JSON"));
            }
        }
    }
}

fn with(request: minreq::Request, headers: &[(&str, &str)]) -> minreq::Request {
    let request = request.with_timeout(CEILING.as_secs());
    headers.iter().fold(request, |request, (name, value)| request.with_header(*name, *value))
}

fn answer(request: minreq::Request) -> Answer {
    let response = request.send().expect("the server answers");
    let text = response.as_str().unwrap_or_default().to_owned();
    let (status, headers) = (response.status_code, response.headers.clone());
    Answer { status, text, headers, bytes: response.into_bytes() }
}
