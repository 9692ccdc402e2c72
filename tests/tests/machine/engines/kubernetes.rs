//! The template for Kubernetes: checked against the schema, and its command run as a plain process with the
//! variable that a pod of an indexed job gets.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::Path;

use rustix::process::Signal;
use serde_json::Value;
use tests::bench::run;
use tests::running::Running;

use super::cup::{Cup, SHARDS, python, template};

/// Reads the first document of a file in YAML and prints it as JSON.
const AS_JSON: &str = "
import json, sys, yaml
print(json.dumps(next(yaml.safe_load_all(open(sys.argv[1])))))
";

fn job(cup: &Cup, python: &Path) -> Value {
    let mut command = cup.command(python);
    let ended = run(command.args(["-c", AS_JSON]).arg(template("kubernetes.yaml"))).with_code(0);
    serde_json::from_str(&ended.stdout).expect("JSON")
}

/// Starts what the pod of an index runs.
fn start(cup: &Cup, job: &Value, index: usize) -> Running {
    let words = job["spec"]["template"]["spec"]["containers"][0]["command"].as_array();
    let words = words.expect("a command").iter().filter_map(Value::as_str);
    let folder = cup.folder().display().to_string();
    let words: Vec<&str> =
        words.map(|word| if word == "/cups/cup" { folder.as_str() } else { word }).collect();
    assert!(words.contains(&folder.as_str()), "{words:?}");
    let told = File::create(cup.bench.path(&format!("{index}.out"))).expect("the folder is ours");
    let again = told.try_clone().expect("a descriptor");
    let mut command = cup.command(cup.bench.program(words[0]));
    command.args(&words[1..]).arg(cup.seed()).env("JOB_COMPLETION_INDEX", index.to_string());
    Running::start(command.stdout(told).stderr(again))
}

/// The action of the job's policy for an exit code.
fn action(job: &Value, code: i32) -> Option<&str> {
    let rules = job["spec"]["podFailurePolicy"]["rules"].as_array().expect("rules");
    let is_for = |rule: &&Value| {
        let values = rule["onExitCodes"]["values"].as_array();
        values.is_some_and(|values| values.contains(&code.into()))
    };
    rules.iter().find(is_for)?["action"].as_str()
}

#[test]
fn pods_play_what_one_machine_plays() {
    let Some(cup) = Cup::plan() else { return };
    let Some(python) = python(&cup) else { return };
    let job = job(&cup, &python);
    assert_eq!(job["spec"]["completionMode"], "Indexed");
    assert_eq!(
        [75, 143, 2, 1].map(|code| action(&job, code)),
        [Some("Ignore"), Some("Ignore"), Some("FailIndex"), None]
    );
    // A pod is evicted: it may finish its game, and says that it was asked to end.
    let mut pod = start(&cup, &job, 0);
    cup.wait_until_held(1);
    pod.signal(Signal::TERM);
    cup.open();
    assert_eq!(pod.wait().code(), Some(143), "{}", cup.outputs());
    // The program is killed, and another pod goes on in the middle.
    cup.close();
    let mut pod = start(&cup, &job, 1);
    cup.wait_until_held(1);
    pod.signal(Signal::KILL);
    assert_eq!(pod.wait().code(), None);
    // A machine is gone and its pod with it, while the one that comes for it waits for the folder.
    let mut pod = start(&cup, &job, 2);
    cup.wait_until_held(1);
    let next = start(&cup, &job, 2);
    tests::running::wait_until("both are there", || cup.programs().len() == 2);
    pod.signal(Signal::KILL);
    pod.wait();
    let mut running = VecDeque::from([next]);
    cup.open();
    for index in [0, 1].into_iter().chain(3..SHARDS) {
        running.push_back(start(&cup, &job, index));
        if running.len() == 2 {
            let first = running.pop_front().map(|mut pod| pod.wait().code());
            assert_eq!(first, Some(Some(0)), "{}", cup.outputs());
        }
    }
    assert!(running.into_iter().all(|mut pod| pod.wait().success()), "{}", cup.outputs());
    // A pod whose index is done has nothing to do.
    assert_eq!(start(&cup, &job, 2).wait().code(), Some(0), "{}", cup.outputs());
    cup.merge();
    cup.assert_is_that_of_one_machine();
}

#[test]
fn the_template_keeps_to_the_schema() {
    let Some(cup) = Cup::plan() else { return };
    let Some(python) = python(&cup) else { return };
    let check = |file: &Path| {
        let mut command = cup.command(&python);
        run(command.args(["-m", "kubernetes_validate", "--strict"]).arg(file))
    };
    check(&template("kubernetes.yaml")).with_code(0);
    // With the seed as a secret, too: the lines for it are comments.
    let text = fs::read_to_string(template("kubernetes.yaml")).expect("a template");
    let with_seed = text.replace("# - {", "- {").replace("# - name: seed", "- name: seed");
    let with_seed = with_seed.replace("#   secret:", "  secret:");
    assert_eq!(
        with_seed.lines().filter(|line| line.contains("name: seed")).count(),
        2,
        "{with_seed}"
    );
    check(&cup.bench.write("with-seed.yaml", &with_seed)).with_code(0);
    for (right, wrong) in
        [("completions: 64", "completions: many"), ("onExitCodes", "onExits"), ("[75, 143]", "75")]
    {
        let file = cup.bench.write("wrong.yaml", text.replace(right, wrong));
        assert_ne!(check(&file).code, Some(0), "{wrong}");
    }
}
