package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.FunctionCall;
import dev.cleave.agent.plan.placement.StrandHelper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The rows of the calls in a method with its helpers, and the methods of other classes on the way to them. */
final class FlatRows {

    private final String owner;
    private final MethodNode real;
    private final Callees helpers;
    private final boolean loops; // in the places of streams
    private final Set<AbstractInsnNode> left;
    private final Map<String, StrandTables> tables = new HashMap<>();

    /**
     * Knows no rows yet.
     *
     * @param owner internal name of the class of the method
     * @param real the method itself
     * @param loops whether loops stand in the places of streams
     * @param left instructions that stay as they are
     */
    FlatRows(String owner, MethodNode real, Callees helpers, boolean loops, Set<AbstractInsnNode> left) {
        this.owner = owner;
        this.real = real;
        this.helpers = helpers;
        this.loops = loops;
        this.left = left;
    }

    /**
     * Whether a call stays with the program, although its method can be sent ahead: one of a method of another class that does
     * not offer it.
     */
    boolean stays(FlatMethod.@Nullable Origin origin) {
        return origin != null
                && origin.elsewhere() != null
                && (helper(origin.path().get(0)) == null || of(origin, 0) < 0);
    }

    /**
     * The row of a call of a helper, negative if it has none: it stands in a class that is called from another class.
     *
     * @param first the first row of the helper that the method itself calls
     */
    int of(FlatMethod.Origin origin, int first) {
        StrandHelper in = helper(origin.path().get(0));
        int row = first;
        for (int i = 1; i <= origin.path().size() && in != null; i++) {
            AbstractInsnNode at =
                    i == origin.path().size() ? origin.insn() : origin.path().get(i);
            Integer offset = in.calls().get(at);
            if (offset == null) {
                return -1;
            }
            row += offset;
            in = i == origin.path().size() ? in : in.called().get(at);
        }
        return in == null ? -1 : row;
    }

    /** The rows of the helper whose code is written in the place of a call of the method itself, null if there is none. */
    @Nullable
    StrandHelper helper(MethodInsnNode call) {
        if (left.contains(call) || Walks.of(helpers).of(call) != null) {
            return null;
        }
        MethodNode own = CopiedMethods.target(helpers, call);
        if (own != null) {
            return tables(helpers, owner).of(own);
        }
        StreamCode stream = loops ? StreamCode.of(owner, real, helpers).get(call) : null;
        if (stream != null && stream.callsRemote()) {
            return tables(helpers, owner).of(stream.functions());
        }
        FunctionCall functions = helpers.functions(call);
        if (functions != null) {
            return tables(helpers, owner).of(functions);
        }
        Callee callee = CopiedMethods.elsewhere(helpers, call);
        return callee == null ? null : offered(helpers, callee);
    }

    /** The rows that the class of a callee offers in it, null if it offers none. */
    @Nullable
    StrandHelper offered(Callees in, Callee callee) {
        return tables(in.calleesOf(callee), callee.owner()).offered(callee.code());
    }

    private StrandTables tables(Callees in, String of) {
        return tables.computeIfAbsent(of, key -> new StrandTables(in, of));
    }

    /**
     * A method of another class on the way to an instruction.
     *
     * @param taken the instruction that takes the object, null if the method is static
     * @param type internal name of the class that the object is of, or of that of the static method
     * @param contract what the class says when it takes what is sent for the method
     */
    record Entered(@Nullable AbstractInsnNode taken, String type, String contract) {}

    /** Returns the methods of other classes on the way to an instruction that strands send. */
    List<Entered> entered(FlatMethod flat, FlatMethod.Origin origin) {
        return entered(flat, origin, false);
    }

    /** Returns the static methods of other classes on the way to an instruction. */
    List<Entered> statics(FlatMethod flat, FlatMethod.Origin origin) {
        return entered(flat, origin, true);
    }

    private List<Entered> entered(FlatMethod flat, FlatMethod.Origin origin, boolean onlyStatic) {
        List<Entered> found = new ArrayList<>();
        Callees in = helpers;
        for (int i = 0; i < origin.path().size(); i++) {
            MethodInsnNode call = origin.path().get(i);
            Callee callee = CopiedMethods.target(in, call) == null ? CopiedMethods.elsewhere(in, call) : null;
            AbstractInsnNode object = flat.taken(origin.path().subList(0, i + 1));
            boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
            if (callee == null || object == null && !isStatic) {
                continue;
            }
            Callees inside = in.calleesOf(callee);
            if (isStatic || !onlyStatic) {
                StrandHelper helper = requireNonNull(offered(in, callee), "helper");
                String contract = tables(inside, callee.owner()).contract(helper);
                String type = object == null
                        ? callee.owner()
                        : requireNonNull(flat.receivers().get(object), "type");
                found.add(new Entered(object, type, contract));
            }
            in = inside;
        }
        return found;
    }
}
