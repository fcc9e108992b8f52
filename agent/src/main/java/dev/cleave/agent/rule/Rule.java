package dev.cleave.agent.rule;

/**
 * The rules of the rewriting. Rules named R say which calls may move, and when; rules named L which values may be used
 * while they arrive. {@code docs/rewriting.md} has a section for each, under the same title.
 */
public enum Rule {
    R1("Calls that may move at all", "call the remote method directly, from a class that the agent can read"),
    R2("What is not rewritten is correct", ""),
    R3("Receivers that are local objects", "keep the receiver in a variable that does not change here"),
    R4("A send copies its arguments", ""),
    R5("A send never throws", ""),
    R6("An await is exact", ""),
    R7("The context of the thread", ""),
    R8("A send stands behind what computes its arguments", "pass it what is known before that call"),
    R9("A send does not cross a write that reaches its arguments", "give it values"),
    R10("Barriers", "move it before or behind the calls"),
    R11("What the program would not reach is not started", "give the loop a counter"),
    R12("Exceptions between a send and its call", ""),
    R13("Order within a group", "put it into another group"),
    R14("Class initialisation", "use the class once before"),
    R15("Monitors and try ranges", ""),
    R16("The await stands at the first use", "put it beside another call, or into a loop"),
    R17("No observable effect before the await", ""),
    R18("Code that may throw before the await", ""),
    R19("Same handlers, same variables", ""),
    R20("All calls end before their region does", "put both calls into one try"),
    R21("The first failure of the program wins", ""),
    R22("Void calls and unused results", ""),
    R23("A result that escapes is awaited", ""),
    R24("Own writes are read", "give the two methods different groups if they have nothing to do with each other"),
    R25("Use on one path only", ""),
    R26("Operands below the call", "make that object before the first call"),
    R27("Several calls in one expression", ""),
    R28("Short circuit and conditional expressions", ""),
    R29("The shape of loops", "restructure the loop"),
    R30("What runs ahead needs nothing of what stays", "pass it what is known before that call"),
    R31("What runs ahead changes nothing", "compute the argument first"),
    R32("The values of a pass", ""),
    R33("Writes that a later argument may see", "keep what the arguments need apart from what the results go to"),
    R34("Iterators", "iterate over a list or an array"),
    R35("A pipeline with a window", ""),
    R36("Exceptions drain the pipeline", ""),
    R37("Early exits", "leave the loop by what is known before the calls"),
    R38("Conditional calls in a loop", ""),
    R39("Accumulators", ""),
    R40("Nested loops", "handle it in the loop where it is thrown"),
    R41("Handlers in the body of a loop", "move the call out of the handler"),
    R42("finally, monitors and resources in the body of a loop", ""),
    R43("Unknown code", "make the method private, static or final, or move the call out of the way"),
    R44("Several calls in a pass", ""),
    R45("Values behind the loop", ""),
    R46("Calls that decide whether the loop goes on", ""),
    R47("Other shapes of control", "restructure the method"),
    R48("No call outlives its method", ""),
    R49("Chains", "give both calls the same style"),
    R50("Pending results as arguments", ""),
    R51("What the JIT compiles", "split the method"),
    R52("What is handed over verifies", "report it, with the class file"),
    R53("Every verdict is explained", ""),
    R54("Calls are switched off at run time", ""),
    R55("Probes of coverage tools have no effect", ""),
    R56("The slice of a prefetched call", "compute the argument without side effects"),
    R57("Exceptions of the slice end it silently", ""),
    R58("Equal arguments", ""),
    R59("Iterators of the run-ahead", ""),
    R60("Epochs", "call it behind the calls that read"),
    R61("Staleness", "mark the method @Pure, or @ReadOnly(maxAge = ...) if its results may be that old"),
    R62("Prefetching that does not pay ends", ""),
    R63("Helpers whose calls are prefetched", "restructure it"),
    R64("Streams whose calls are prefetched", ""),
    R65("The word that would have helped", ""),
    R66("Claims", ""),
    R67("Bounds of the run-ahead", "make the argument before the loop"),
    R68("Calls in helpers", "call it in a private, static or final method, outside of handlers and monitors"),
    R69("Sequential streams", "collect the results, and use them afterwards"),
    R70("One-way calls and methods that return futures", "move it before or behind the calls"),
    R71("Strands: what runs ahead waits for results", ""),
    R72("Strands of methods that call themselves", ""),
    R73("Strands of calls in straight line", ""),
    R75("Calls that change arguments", "put it beside other calls that do not use the argument"),
    L1("Methods whose parameters arrive later", ""),
    L2("Bridges hand on to the method of their own class", ""),
    L3("The wait stands where the value is used", ""),
    L4("Loops over what arrives run in a copy that never waits", ""),
    L5("Results that arrive later", ""),
    L6("What is arriving is passed on", "");

    private final String title;
    private final String advice;

    Rule(String title, String advice) {
        this.title = title;
        this.advice = advice;
    }

    /** The title of the rule, which is the heading of its section. */
    public String title() {
        return title;
    }

    /**
     * The change that most often frees a call which this rule keeps in its place; empty if the rule keeps no call there, or
     * if the change depends on the call. A refusal may name a better one.
     */
    public String advice() {
        return advice;
    }
}
