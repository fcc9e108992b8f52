package dev.cleave.agent.plan.placement;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.InOrder;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.EntryTest;
import dev.cleave.agent.plan.method.ReadCall;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.method.Value;
import dev.cleave.agent.plan.verdict.Overlap;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.Reading;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * A nest of loops, or code in straight line, whose calls are sent ahead by strands, which wait for results (R71, R73).
 *
 * <p>It is planned in code in which its helpers stand in the places of their calls. The indices of {@link #region} and
 * {@link #strands} name ops of that code; the indices of {@link #own}, {@link #claims} and {@link #hands} name ops of
 * the method itself.
 *
 * @param region the outermost loop, for one pass through it
 * @param strands the strands; each stands behind the strands whose results it looks at
 * @param queue the queue between two strands, null if there is none
 * @param guide what makes strands of its own for each pass, null if the strands go from pass to pass themselves
 * @param recursion how the method calls itself, null if this is a nest of loops
 * @param sends the calls that are sent, by index
 * @param walks the calls of methods that call themselves whose strands begin ahead, by index
 * @param rows the number of rows
 * @param own the same loop in the method itself
 * @param claims the row of each of the method's own calls
 * @param hands the first row of each helper that it calls
 * @param entries the rows of those of the method's own calls that call a method which calls itself
 * @param mappings the functions of the method itself that fill maps
 * @param keys for the method's own calls that are sent for keys of maps: what asks the map for the key
 * @param classes tests of the objects whose methods of other classes stand in the planned code
 * @param elsewhere the classes of instructions that come from other classes, by their internal names
 * @param iterators where the method itself makes iterators of which strands have their own, by index
 */
public record StrandPlan(
        Region region,
        List<Strand> strands,
        @Nullable Queue queue,
        @Nullable Guide guide,
        @Nullable Recursion recursion,
        Map<Integer, Call> sends,
        Map<Integer, Walk> walks,
        int rows,
        Region own,
        Map<Integer, Integer> claims,
        Map<Integer, Hand> hands,
        Map<Integer, Integer> entries,
        Map<Integer, Mapping> mappings,
        Map<Integer, Integer> keys,
        Map<Integer, Integer> iterators,
        List<EntryTest> classes,
        Map<AbstractInsnNode, String> elsewhere)
        implements CallPlacement {

    /**
     * A copy of the code that decides about some calls.
     *
     * @param kept the registers that it keeps, by the op at which it may stop, with the types of objects
     * @param fixed the registers of the program that it reads and never writes, with the types of objects
     * @param copies those of them that hold collections of which it has copies
     * @param held the ops that ask maps for keys
     * @param doors what it needs of other classes
     */
    public record Strand(
            SendSlice slice,
            Map<Integer, Map<Register, Type>> kept,
            Map<Register, Type> fixed,
            Set<Register> copies,
            Set<Integer> held,
            List<Door> doors) {

        public Strand {
            kept = InOrder.copyOf(kept);
            fixed = InOrder.copyOf(fixed);
            held = InOrder.copyOf(held);
            doors = List.copyOf(doors);
            copies = InOrder.copyOf(copies);
        }

        /** Returns the registers that the copy keeps when it stops at an op, with the types of objects. */
        public Map<Register, Type> keptAt(int index) {
            return requireNonNull(kept.get(index), "kept");
        }
    }

    /**
     * A queue to which one strand adds while another takes from it.
     *
     * @param reader the number of the strand that takes
     * @param read the register that holds the reader's queue
     * @param writer the number of the strand that adds, the next one
     * @param written the register that holds the writer's queue
     * @param asks the ops of the reader that ask the queue
     * @param isReadBehind whether these stand behind the additions of a pass, not before them
     */
    public record Queue(int reader, Register read, int writer, Register written, BitSet asks, boolean isReadBehind) {}

    /**
     * The code that decides which passes there are. Its only send is the place where the strands of a pass begin.
     *
     * @param handed the registers that it gives to the strands of a pass, with the types of objects
     */
    public record Guide(Strand strand, Map<Register, Type> handed) {

        public Guide {
            handed = InOrder.copyOf(handed);
        }

        /** Where the strands of a pass begin. */
        public int place() {
            return strand.slice().sends().get(0);
        }
    }

    /**
     * A call that is sent.
     *
     * @param name the remote method
     * @param window the most of them in flight
     * @param owner internal name of the class that holds it
     * @param method the name of the method that holds it
     * @param isKeyed whether it is sent for a key of a map
     * @param isChanged whether the program may change the object that it returns, so that strands need it as it has arrived
     */
    public record Call(
            int row,
            String name,
            int window,
            String owner,
            String method,
            int line,
            boolean isKeyed,
            boolean isChanged) {}

    /** A call that fills a map with the results of calls. */
    public record Mapping(int row, MapFilling filling) {}

    /**
     * What a strand waits for before it is made: that the code of another class takes what the strand sends.
     *
     * @param object an object of that class
     * @param type internal name of the class
     * @param contract describes the method
     */
    public record Door(Value object, String type, String contract) {}

    /**
     * A method that calls itself, all of which is the region: each activation has strands of its own.
     *
     * @param rows the row of each call of the method itself
     * @param values the parameters that strands begin with
     * @param returns where it returns the value that strands of other activations need; empty if none needs it
     */
    public record Recursion(Map<Integer, Integer> rows, List<Integer> values, Set<Integer> returns) {

        public Recursion {
            rows = InOrder.copyOf(rows);
            values = List.copyOf(values);
            returns = InOrder.copyOf(returns);
        }
    }

    /**
     * A call of a method that calls itself.
     *
     * @param strands those of each activation of the method
     */
    public record Walk(int row, StrandPlan strands) {

        /** Returns how the method calls itself. */
        public Recursion recursion() {
            return requireNonNull(strands.recursion(), "recursion");
        }
    }

    /** A helper that is called, and its first row. */
    public record Hand(StrandHelper helper, int row) {}

    public StrandPlan {
        strands = List.copyOf(strands);
        sends = InOrder.copyOf(sends);
        walks = InOrder.copyOf(walks);
        claims = InOrder.copyOf(claims);
        hands = InOrder.copyOf(hands);
        entries = InOrder.copyOf(entries);
        mappings = InOrder.copyOf(mappings);
        keys = InOrder.copyOf(keys);
        iterators = InOrder.copyOf(iterators);
    }

    /** Returns the kind of code that holds the calls. */
    public Overlap.Shape shape() {
        Overlap.Shape loops = own.repeats() ? Overlap.Shape.NEST : Overlap.Shape.LINE;
        return recursion == null ? loops : Overlap.Shape.RECURSION;
    }

    /** Returns all strands, that of the guide first. */
    public List<Strand> all() {
        return guide == null
                ? strands
                : Stream.concat(Stream.of(guide.strand()), strands.stream()).toList();
    }

    /** The call that is sent at an index. */
    public Call send(int index) {
        return requireNonNull(sends.get(index), "send");
    }

    /** The method's own calls that are sent; those of helpers are theirs. */
    @Override
    public List<Integer> calls() {
        Set<Integer> sent = new HashSet<>();
        sends.values().forEach(call -> sent.add(call.row()));
        return claims.keySet().stream()
                .filter(call -> sent.contains(claims.get(call)))
                .toList();
    }

    @Override
    public Verdict.Outcome outcome(int call) {
        return Verdict.Outcome.PIPELINED;
    }

    @Override
    public int window() {
        return sends.values().stream().mapToInt(Call::window).max().orElse(1);
    }

    @Override
    public BitSet closed() {
        return own.ops();
    }

    @Override
    public BitSet loop() {
        return own.ops();
    }

    /** The calls that are sent of those of a method. */
    public List<ReadCall> callsOf(String owner, String method) {
        return sends.values().stream()
                .filter(call -> call.method().equals(method) && call.owner().equals(owner))
                .map(call -> new ReadCall(method, call.line(), call.name(), Reading.NONE, call.window()))
                .toList();
    }

    /** Returns the tests at the entry; nothing is sent ahead if one does not hold. */
    public List<EntryTest> tests() {
        return Stream.concat(classes.stream(), all().stream().flatMap(strand -> strand.slice().tests().stream()))
                .distinct()
                .toList();
    }
}
