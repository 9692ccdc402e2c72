//! A real Slurm: a controller and a node with two processors, for one test.
//!
//! Nothing is installed as a service. The daemons run in the foreground, with a key, a configuration, folders
//! and ports of their own. The node has a namespace of processes: ending its first process is the death
//! of a machine.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use rustix::process::{Signal, geteuid};
use tests::bench::{Ended, run};
use tests::running::{Running, wait_or_say, wait_until};
use tests::{installed, missing};

use super::cup::{Cup, DEALS, SHARDS, kill, template};
use super::night::assert_first_round_is_taken;

/// The configuration, but for names, ports and folders.
///
/// There are no control groups and no accounts. The times are as short as Slurm takes them: a node
/// that does not answer for 4 seconds is down, and a task that is queued again waits for 5 seconds.
const CONFIGURATION: &str = "\
ClusterName=test
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=4
MessageTimeout=3
KillWait=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
";

/// The daemons, in the order in which they are ended.
struct Slurm<'a> {
    cup: &'a Cup,
    node: Option<Running>,
    _controller: Running,
    _munge: Running,
}

impl Slurm<'_> {
    /// Starts all, and waits until the node can be used; `None` if Slurm is not installed.
    fn start(cup: &Cup) -> Option<Slurm<'_>> {
        let programs = ["slurmctld", "slurmd", "sbatch", "munged", "unshare"];
        if !programs.into_iter().all(installed::is_there_by_chance) {
            return None;
        }
        if !geteuid().is_root() {
            missing::tell("only root starts Slurm");
            return None;
        }
        let bench = &cup.bench;
        for folder in ["state", "spool", "run"] {
            fs::create_dir(bench.path(folder)).expect("the folder is ours");
        }
        let key = bench.write("munge.key", [bench.marker(), &"key".repeat(40)].concat());
        fs::set_permissions(&key, PermissionsExt::from_mode(0o600)).expect("it is ours");
        bench.write("slurm.conf", configuration(cup));
        let option = |name: &str, file: &str| format!("--{name}={}", bench.path(file).display());
        let words = [
            // Without this word, what would be a danger on a machine for many is an error.
            "--force".to_owned(),
            "--foreground".to_owned(),
            option("key-file", "munge.key"),
            option("socket", "run/munge.sock"),
            option("pid-file", "run/munge.pid"),
            option("seed-file", "run/munge.seed"),
            option("log-file", "run/munge.log"),
        ];
        let munge = daemon(cup, "munge", "munged", &words);
        wait_until("munge listens", || bench.path("run/munge.sock").exists());
        let controller = daemon(cup, "controller", "unshare", &in_namespace(cup, &["slurmctld"]));
        let mut slurm = Slurm { cup, node: None, _controller: controller, _munge: munge };
        slurm.start_node();
        Some(slurm)
    }

    /// Starts the node, and waits until it can be used.
    fn start_node(&mut self) {
        let words = in_namespace(self.cup, &["slurmd", "-N", "node"]);
        self.node = Some(daemon(self.cup, "node", "unshare", &words));
        self.wait_for_node("idle");
    }

    /// Ends the node and all that runs on it at once, and waits until Slurm has noticed.
    fn kill_node(&mut self) {
        if let Some(mut node) = self.node.take() {
            node.signal(Signal::KILL);
            node.wait();
        }
        self.wait_for_node("down");
    }

    fn wait_for_node(&self, state: &str) {
        let found = || self.say("sinfo", &["--noheader", "--format", "%T"]).stdout;
        wait_or_say(|| found().starts_with(state), || format!("the node is {state}: {}", found()));
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut command = self.cup.command(program);
        command.args(words).env("SLURM_CONF", self.cup.bench.path("slurm.conf"));
        command
    }

    fn say(&self, program: &str, words: &[&str]) -> Ended {
        run(&mut self.command(program, words))
    }

    fn must(&self, program: &str, words: &[&str]) -> String {
        let ended = self.say(program, words).with_code(0);
        ended.stdout
    }

    /// The state of every task of the array, and how often it was queued again.
    fn tasks(&self) -> BTreeMap<String, (String, u32)> {
        let words = ["--noheader", "--array", "--states", "all", "--Format"];
        let ended = self.say("squeue", &[&words[..], &["ArrayTaskID,State,RestartCnt"]].concat());
        let task = |line: &str| {
            let mut fields = line.split_whitespace();
            let [task, state, restarts] = [fields.next()?, fields.next()?, fields.next()?];
            Some((task.to_owned(), (state.to_owned(), restarts.parse().ok()?)))
        };
        ended.stdout.lines().filter_map(task).collect()
    }

    /// Waits until the tasks were queued again this number of times together.
    fn wait_for_restarts(&self, count: u32) {
        let restarts = || self.tasks().values().map(|(_, restarts)| restarts).sum::<u32>();
        let state = || format!("{count} restarts: {:?}, {}", self.tasks(), self.cup.outputs());
        wait_or_say(|| restarts() == count, state);
    }
}

/// The words for `unshare` with which a daemon of Slurm ends together with all that it has started.
fn in_namespace(cup: &Cup, daemon: &[&str]) -> Vec<String> {
    let file = cup.bench.path("slurm.conf").display().to_string();
    let namespace = ["--pid", "--fork", "--mount-proc", "--kill-child"];
    [&namespace[..], daemon, &["-D", "-f", &file]].concat().into_iter().map(str::to_owned).collect()
}

/// Starts a daemon that tells into a file.
fn daemon(cup: &Cup, name: &str, program: &str, words: &[String]) -> Running {
    let told = File::create(cup.bench.path(&format!("{name}.out"))).expect("the folder is ours");
    let mut command = cup.command(program);
    let again = told.try_clone().expect("a descriptor");
    Running::start(command.args(words).stdout(told).stderr(again))
}

fn configuration(cup: &Cup) -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").expect("a machine has a name");
    let name = name.trim().split('.').next().unwrap_or_default();
    // Held together, so that they differ.
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let [controller, node] = listeners.map(|it| it.local_addr().expect("it has an address").port());
    let folder = cup.bench.folder().display();
    format!(
        "{CONFIGURATION}\
        SlurmctldHost={name}(127.0.0.1)\n\
        SlurmctldPort={controller}\n\
        SlurmdPort={node}\n\
        AuthInfo=socket={folder}/run/munge.sock,cred_expire=5\n\
        StateSaveLocation={folder}/state\n\
        SlurmdSpoolDir={folder}/spool\n\
        SlurmctldPidFile={folder}/run/controller.pid\n\
        SlurmdPidFile={folder}/run/node.pid\n\
        NodeName=node NodeHostname={name} NodeAddr=127.0.0.1 Port={node} CPUs=2 State=UNKNOWN\n"
    )
}

#[test]
fn slurm_plays_what_one_machine_plays() {
    let Some(cup) = Cup::plan() else { return };
    let Some(mut slurm) = Slurm::start(&cup) else { return };
    let array = format!("--array=0-{}", SHARDS - 1);
    let script = template("slurm.sbatch").display().to_string();
    let folder = cup.folder().display().to_string();
    let seed = cup.seed();
    let job = slurm.must("sbatch", &["--parsable", &array, &script, &folder, &seed]);
    let job = job.trim();
    // The program is killed: the script has its task queued again.
    let programs = cup.wait_until_held(2);
    kill(*programs.first().expect("it is held"));
    slurm.wait_for_restarts(1);
    // A task is taken back while it runs.
    let programs = cup.wait_until_held(2);
    let tasks = slurm.tasks();
    let running = |(_, (state, _)): &(&String, &(String, u32))| state == "RUNNING";
    let (task, _) = tasks.iter().find(running).expect("two are running");
    slurm.must("scontrol", &["requeue", &format!("{job}_{task}")]);
    slurm.wait_for_restarts(2);
    // The node dies, with all that runs on it: one program from before, and another one.
    wait_until("another one runs", || cup.programs().difference(&programs).count() == 1);
    cup.wait_until_held(2);
    slurm.kill_node();
    slurm.wait_for_restarts(4);
    cup.open();
    slurm.start_node();
    let is_over = || slurm.tasks().values().all(|(state, _)| state == "COMPLETED");
    wait_or_say(is_over, || format!("all are completed: {:?}, {}", slurm.tasks(), cup.outputs()));
    assert_eq!(slurm.tasks().len(), SHARDS);
    cup.merge();
    cup.assert_is_that_of_one_machine();
}

/// The template asks Slurm not to let a cancelled task be queued again by its own script.
#[test]
fn a_cancelled_task_stays_cancelled() {
    let Some(cup) = Cup::plan() else { return };
    let Some(slurm) = Slurm::start(&cup) else { return };
    let script = template("slurm.sbatch").display().to_string();
    let folder = cup.folder().display().to_string();
    let seed = cup.seed();
    let job = slurm.must("sbatch", &["--parsable", "--array=0", &script, &folder, &seed]);
    cup.wait_until_held(1);
    slurm.must("scancel", &["--batch", "--signal=TERM", &format!("{}_0", job.trim())]);
    // A signal to the script alone is what comes before the end of the time: it is queued again.
    cup.open();
    slurm.wait_for_restarts(1);
    cup.close();
    cup.wait_until_held(1);
    slurm.must("scancel", &[job.trim()]);
    wait_until("its program has ended", || cup.programs().is_empty());
    // As long as the script is there, it is completing.
    let task = || slurm.tasks().get("0").cloned().unwrap_or_default();
    let cancelled = ("CANCELLED".to_owned(), 1);
    wait_or_say(
        || task() == cancelled,
        || format!("it is cancelled: {:?}, {}", task(), cup.outputs()),
    );
}

#[test]
fn slurm_plays_a_round_of_a_league() {
    let Some(cup) = Cup::league() else { return };
    let Some(slurm) = Slurm::start(&cup) else { return };
    let script = template("nightly.sbatch").display().to_string();
    let folder = cup.folder().display().to_string();
    let mut command = slurm.command("sbatch", &[&script, &folder, DEALS]);
    run(command.env("TEMPLATES", template(""))).with_code(0);
    // A task is killed in the middle: the script of the array has it queued again.
    let programs = cup.wait_until_held(2);
    kill(*programs.first().expect("it is held"));
    slurm.wait_for_restarts(1);
    cup.wait_until_held(2);
    cup.open();
    let is_taken = || {
        let log = fs::read_to_string(cup.folder().join("league.jsonl")).unwrap_or_default();
        log.lines().any(|line| line.starts_with("{\"over\""))
    };
    wait_or_say(is_taken, || format!("it is taken: {:?}, {}", slurm.tasks(), cup.outputs()));
    assert_first_round_is_taken(&cup);
}
