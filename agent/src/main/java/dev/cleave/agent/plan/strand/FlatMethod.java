package dev.cleave.agent.plan.strand;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.method.Callees;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A method with its helpers written in the places where it calls them. Strands are planned in it; it never runs.
 * Helpers are methods of the class that call remote methods; where another class can override one, the object has to be of that class. What its
 * locals hold keeps its slot.
 */
final class FlatMethod {

    private static final int MOST_ATTEMPTS = 8;

    private final Wish wish;
    private final MethodNode code;
    private final Notes notes;
    private final FlatRows rows;
    private final Extent extent;

    /**
     * Says which code to write.
     *
     * @param owner internal name of the class of the method
     * @param fills whether code stands in the places where the method fills maps by hand
     * @param loops whether loops stand in the places of streams
     * @param copies whether arrays and lists that remote calls return are copied
     * @param left instructions of the method that stay as they are
     */
    record Wish(
            String owner,
            MethodNode real,
            Callees helpers,
            boolean fills,
            boolean loops,
            boolean copies,
            Set<AbstractInsnNode> left) {

        Wish withoutFillings() {
            return new Wish(owner, real, helpers, false, loops, copies, left);
        }

        Wish withCopies() {
            return new Wish(owner, real, helpers, fills, loops, true, left);
        }
    }

    /**
     * Where an instruction comes from.
     *
     * @param path the calls of helpers that lead to its method, none for the method itself
     * @param insn the instruction there
     * @param elsewhere internal name of the class of its method, null if that is the class that is planned
     */
    record Origin(
            List<MethodInsnNode> path,
            MethodNode method,
            AbstractInsnNode insn,
            int line,
            @Nullable String elsewhere) {}

    /**
     * Keeps the facts that are known of the code.
     *
     * @param origins where its instructions come from
     * @param receivers the classes that objects must be of exactly, by the instruction in front of the code of the other class that
     *     takes the object
     * @param taken the instruction that takes the object of a call, by the calls that lead there
     * @param mappings the code that fills maps, by the calls whose results it puts there
     * @param results the results of calls that are copied
     */
    record Notes(
            Map<AbstractInsnNode, Origin> origins,
            Map<AbstractInsnNode, String> receivers,
            Map<List<MethodInsnNode>, AbstractInsnNode> taken,
            Map<AbstractInsnNode, MapCalls.Code> mappings,
            CopiedResults results) {

        Notes(CopiedResults results) {
            this(new IdentityHashMap<>(), new IdentityHashMap<>(), new HashMap<>(), new IdentityHashMap<>(), results);
        }
    }

    /**
     * Tells how far the code differs from that of the method.
     *
     * @param isOther whether other code stands in the place of any call
     * @param fillsInHelpers whether a helper fills a map by hand
     * @param givesFunctions whether functions that make remote calls are given to methods that call them
     */
    record Extent(boolean isOther, boolean fillsInHelpers, boolean givesFunctions) {}

    FlatMethod(Wish wish, MethodNode code, Notes notes, FlatRows rows, Extent extent) {
        this.wish = wish;
        this.code = code;
        this.notes = notes;
        this.rows = rows;
        this.extent = extent;
    }

    /**
     * The method with its helpers; null if it calls none, or if one of them cannot be written in the place of its call.
     *
     * @param loops whether loops stand in the places of streams
     */
    static @Nullable FlatMethod of(String owner, MethodNode real, Callees helpers, boolean loops) {
        try {
            return of(new Wish(owner, real, helpers, true, loops, false, Set.of()));
        } catch (FlatWriter.NotFlat e) {
            return null;
        }
    }

    private static @Nullable FlatMethod of(Wish wish) throws FlatWriter.NotFlat {
        FlatMethod flat = FlatWriter.write(wish);
        return flat.extent.isOther() ? flat : null;
    }

    /**
     * The method with the helpers of one part of it. Calls outside of that part, and calls of helpers that cannot be written
     * in their places, stay calls.
     *
     * @param loops whether loops stand in the places of streams
     * @param part the instructions of the part
     */
    static @Nullable FlatMethod ofPart(
            String owner, MethodNode real, Callees helpers, boolean loops, Predicate<AbstractInsnNode> part) {
        Set<AbstractInsnNode> left = Collections.newSetFromMap(new IdentityHashMap<>());
        for (AbstractInsnNode insn : real.instructions) {
            if (!part.test(insn)) {
                left.add(insn);
            }
        }
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            try {
                return of(new Wish(owner, real, helpers, true, loops, false, left));
            } catch (FlatWriter.NotFlat e) {
                if (e.call == null) {
                    return null;
                }
                left.add(e.call);
            }
        }
        return null;
    }

    /** The same, but maps that the method fills by hand are maps like others; null if a helper fills one. */
    @Nullable
    FlatMethod withoutFillings() {
        try {
            return extent.fillsInHelpers() ? null : FlatWriter.write(wish.withoutFillings());
        } catch (FlatWriter.NotFlat e) {
            return null;
        }
    }

    /** The same, with copies of arrays and lists that calls return; null if no call returns one. */
    @Nullable
    FlatMethod withCopies() {
        return withCopies(wish.withCopies());
    }

    /** A method that calls no helpers, with copies of arrays and lists that its calls return; null if none returns one. */
    static @Nullable FlatMethod withCopies(String owner, MethodNode real, Callees helpers) {
        Set<AbstractInsnNode> left = Collections.newSetFromMap(new IdentityHashMap<>());
        real.instructions.forEach(left::add);
        return withCopies(new Wish(owner, real, helpers, false, false, true, left));
    }

    private static @Nullable FlatMethod withCopies(Wish wish) {
        try {
            FlatMethod flat = FlatWriter.write(wish);
            return flat.notes.results().areNone() ? null : flat;
        } catch (FlatWriter.NotFlat e) {
            return null;
        }
    }

    /** The results of calls that strands copy. */
    CopiedResults copies() {
        return notes.results();
    }

    /** Whether the method, or a helper, gives functions that make remote calls to methods that call them. */
    boolean givesFunctions() {
        return extent.givesFunctions();
    }

    /** Whether the method, or a helper, fills a map by hand. */
    boolean fillsByHand() {
        return notes.mappings().values().stream().anyMatch(code -> code.all().isEmpty());
    }

    /** Returns the code with the helpers in their places. */
    MethodBody body() throws Unsupported {
        return wish.helpers().build(code);
    }

    /** Whether an instruction comes from another class. */
    boolean isElsewhere(AbstractInsnNode insn) {
        Origin origin = notes.origins().get(insn);
        return origin != null && origin.elsewhere() != null;
    }

    /** Where an instruction of its code comes from. */
    @Nullable
    Origin origin(AbstractInsnNode insn) {
        return notes.origins().get(insn);
    }

    /**
     * The classes that objects must be of exactly, by the instruction in front of the code of the other class that takes the
     * object.
     */
    Map<AbstractInsnNode, String> receivers() {
        return notes.receivers();
    }

    /** The classes of the instructions that come from other classes, by their internal names. */
    Map<AbstractInsnNode, String> elsewhere() {
        Map<AbstractInsnNode, String> found = new IdentityHashMap<>();
        notes.origins().forEach((insn, origin) -> {
            if (origin.elsewhere() != null) {
                found.put(insn, origin.elsewhere());
            }
        });
        return found;
    }

    /** The rows of its calls. */
    FlatRows rows() {
        return rows;
    }

    /** The instruction that takes the object of a call of another class, null if none does. */
    @Nullable
    AbstractInsnNode taken(List<MethodInsnNode> path) {
        return notes.taken().get(path);
    }

    /** Returns the code that fills a map with the result of a call; null if none does. */
    MapCalls.@Nullable Code mapping(AbstractInsnNode insn) {
        return notes.mappings().get(insn);
    }

    /** Returns the code that fills maps, by the calls whose results it puts there. */
    Map<AbstractInsnNode, MapCalls.Code> mappings() {
        return notes.mappings();
    }

    /** Whether other code stands in the place of an instruction of a method. */
    static boolean isWritten(Callees in, MethodInsnNode call) {
        return CopiedMethods.target(in, call) != null && Walks.of(in).of(call) == null
                || CopiedMethods.elsewhere(in, call) != null
                || in.functions(call) != null
                || MapCalls.of(call, in) != null;
    }
}
