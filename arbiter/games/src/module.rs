//! Rules that are a WebAssembly module, run by an interpreter within this process.
//!
//! A module cannot reach anything: it has no imports. What it may use is bounded by fuel, which is
//! counted by instructions and not by time, so that a module that runs out of it does so on every
//! machine.

use rules::custom::{LONGEST_ANSWER, NoAnswer, RulesInstance, RulesSource};
use text::{excerpt, printable};
use wasmi::errors::{ErrorKind, MemoryError};
use wasmi::{
    Config, Engine, Error, Linker, Memory, Module, Store, StoreLimits, StoreLimitsBuilder,
    TrapCode, TypedFunc,
};

/// The fuel of a call.
const FUEL: u64 = 50_000_000;

/// The most memory of an instance, in bytes.
const MEMORY: usize = 64 << 20;

/// The most tables.
const TABLES: usize = 16;

/// The most elements of a table.
const TABLE: usize = 1 << 16;

/// A module that was compiled, and can be started.
pub(crate) struct ModuleSource {
    engine: Engine,
    module: Module,
}

struct ModuleInstance {
    store: Store<StoreLimits>,
    memory: Memory,
    room: TypedFunc<i32, i32>,
    answer: TypedFunc<i32, i64>,
    /// The size of its memory after its first game, in bytes, once it has played one.
    at_first: Option<usize>,
}

impl ModuleSource {
    /// Compiles the bytes of a module.
    ///
    /// # Errors
    ///
    /// Says in one line what is wrong with them.
    pub(crate) fn new(bytes: &[u8]) -> Result<ModuleSource, String> {
        let mut config = Config::default();
        config.consume_fuel(true).wasm_multi_memory(false);
        let engine = Engine::new(&config);
        let module = Module::new(&engine, bytes).map_err(|error| in_one_line(&error))?;
        if let Some(import) = module.imports().next() {
            let (from, name) = (printable(import.module()), printable(import.name()));
            return Err(format!("it imports `{name}` from `{from}`: imports are not allowed"));
        }
        Ok(ModuleSource { engine, module })
    }
}

impl RulesSource for ModuleSource {
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer> {
        let instance = self.instance().map_err(NoAnswer::Rules)?;
        Ok(Box::new(instance))
    }
}

impl ModuleSource {
    fn instance(&self) -> Result<ModuleInstance, String> {
        let limits = StoreLimitsBuilder::new()
            .memory_size(MEMORY)
            .table_elements(TABLE)
            .instances(1)
            .memories(1)
            .tables(TABLES)
            .build();
        let mut store = Store::new(&self.engine, limits);
        store.limiter(|limits| limits);
        store.set_fuel(FUEL).map_err(|error| in_one_line(&error))?;
        let instance = Linker::new(&self.engine)
            .instantiate_and_start(&mut store, &self.module)
            .map_err(|error| describe(&error))?;
        let memory = instance.get_memory(&store, "memory").ok_or("it exports no `memory`")?;
        let expected = |what: &str, _| format!("it exports no function `{what}`");
        let room = instance.get_typed_func(&store, "room");
        let room = room.map_err(|error: Error| expected("room(i32) -> i32", error))?;
        let answer = instance.get_typed_func(&store, "answer");
        let answer = answer.map_err(|error: Error| expected("answer(i32) -> i64", error))?;
        Ok(ModuleInstance { store, memory, room, answer, at_first: None })
    }
}

impl RulesInstance for ModuleInstance {
    fn call(&mut self, call: &str) -> Result<String, NoAnswer> {
        self.answered(call)
    }

    /// Half of what its first game has left may be taken by further ones: then each of them has the other half.
    fn is_spent(&mut self) -> bool {
        let size = self.size();
        let at_first = *self.at_first.get_or_insert(size);
        size > at_first + MEMORY.saturating_sub(at_first) / 2
    }
}

impl ModuleInstance {
    /// The size of its memory, in bytes.
    fn size(&self) -> usize {
        self.memory.data_size(&self.store)
    }

    /// The fault of a call that did not return. With more memory than its first game had, a trap may come of the games
    /// before, and a new instance may not have it. Fuel is the same for each call, however many games were before.
    fn trapped(&self, error: &Error) -> NoAnswer {
        let why = describe(error);
        match self.at_first {
            Some(at_first) if self.size() > at_first && !is_out_of_fuel(error) => {
                NoAnswer::Machine(why)
            }
            Some(_) | None => NoAnswer::Rules(why),
        }
    }

    fn answered(&mut self, call: &str) -> Result<String, NoAnswer> {
        let broken = |why: &str| NoAnswer::Rules(why.to_owned());
        let length = i32::try_from(call.len()).map_err(|_| broken("the call is too long"))?;
        self.store.set_fuel(FUEL).map_err(|error| NoAnswer::Rules(in_one_line(&error)))?;
        let room = self.room.call(&mut self.store, length);
        let room = room.map_err(|error| self.trapped(&error))? as u32 as usize;
        let written = self.memory.write(&mut self.store, room, call.as_bytes());
        written.map_err(|_: MemoryError| broken("`room` gave an address outside of its memory"))?;
        let packed = self.answer.call(&mut self.store, length);
        let packed = packed.map_err(|error| self.trapped(&error))?;
        let (start, length) = ((packed as u64 >> 32) as usize, packed as u32 as usize);
        if length > LONGEST_ANSWER {
            let why = format!("an answer of {length} bytes, expected at most {LONGEST_ANSWER}");
            return Err(NoAnswer::Rules(why));
        }
        let data = self.memory.data(&self.store);
        let bytes = start.checked_add(length).and_then(|end| data.get(start..end));
        let bytes = bytes.ok_or_else(|| broken("the answer lies outside of its memory"))?;
        let text = std::str::from_utf8(bytes).map_err(|_| broken("the answer is not UTF-8"))?;
        Ok(text.to_owned())
    }
}

/// The end of a call that was not answered, in one line.
fn describe(error: &Error) -> String {
    match error.as_trap_code() {
        _ if is_out_of_fuel(error) => format!("it ran out of fuel, {FUEL} units for a call"),
        Some(TrapCode::GrowthOperationLimited) => {
            format!("it ran out of memory, {} MiB", MEMORY >> 20)
        }
        _ => format!("it trapped: {}", in_one_line(error)),
    }
}

fn is_out_of_fuel(error: &Error) -> bool {
    matches!(
        (error.as_trap_code(), error.kind()),
        (Some(TrapCode::OutOfFuel), _) | (_, ErrorKind::Fuel(_))
    )
}

fn in_one_line(error: &Error) -> String {
    let text = error.to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    excerpt::line(&printable(&words.join(" ")))
}
