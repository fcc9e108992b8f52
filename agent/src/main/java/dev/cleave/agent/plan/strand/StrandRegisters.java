package dev.cleave.agent.plan.strand;

import dev.cleave.agent.dataflow.PatternSwitch;
import dev.cleave.agent.effect.DynamicSites;
import dev.cleave.agent.effect.Effects;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Carried;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.placement.StrandPlan;
import dev.cleave.agent.plan.slice.OwnCollections;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Checks that a slice can be copied into the class of a strand, and finds the registers that the copy keeps while it is
 * stopped, and those that it only reads.
 */
final class StrandRegisters {

    /** The part of a strand that concerns maps and other classes. */
    interface Outside {

        /** Nothing. */
        Outside NONE = new Outside() {
            @Override
            public Set<Integer> held(SendSlice slice) {
                return Set.of();
            }

            @Override
            public List<StrandPlan.Door> doors(SendSlice slice) {
                return List.of();
            }

            @Override
            public boolean mayBeElsewhere(AbstractInsnNode insn) {
                return true; // it does not know where code comes from
            }
        };

        /** Returns the ops of a slice that ask maps for keys. */
        Set<Integer> held(SendSlice slice);

        /** Whether an instruction may come from another class. */
        boolean mayBeElsewhere(AbstractInsnNode insn);

        /** Returns the methods of other classes that have to take what a strand sends. */
        List<StrandPlan.Door> doors(SendSlice slice) throws Refused;
    }

    private final Method method;
    private final Region region;
    private final OwnCollections own;
    private final Outside others;
    private final IntFunction<@Nullable Collection<Integer>> begun;

    /**
     * Prepares it for the strands of a method that calls itself.
     *
     * @param begun the operands with which strands begin at a call of a method that calls itself; null for any other op
     */
    StrandRegisters(
            Method method, Region region, OwnCollections own, IntFunction<@Nullable Collection<Integer>> begun) {
        this(method, region, own, Outside.NONE, begun);
    }

    /** Prepares it for the strands of a nest. */
    StrandRegisters(
            Method method,
            Region region,
            OwnCollections own,
            Outside others,
            IntFunction<@Nullable Collection<Integer>> begun) {
        this.others = others;
        this.method = method;
        this.region = region;
        this.own = own;
        this.begun = begun;
    }

    /**
     * Returns the strand of a slice.
     *
     * @param asks the ops in front of which it asks a queue
     */
    StrandPlan.Strand strand(SendSlice slice, BitSet asks) throws Refused {
        return strand(slice, asks, this::operands);
    }

    /**
     * Returns the guide of a slice.
     *
     * @param place where a pass begins
     * @param handed the registers that the strands of the pass take over there
     */
    StrandPlan.Strand guide(SendSlice slice, int place, Set<Register> handed) throws Refused {
        return strand(slice, new BitSet(), index -> index == place ? List.copyOf(handed) : operands(index));
    }

    private StrandPlan.Strand strand(SendSlice slice, BitSet asks, IntFunction<List<Register>> operands)
            throws Refused {
        BitSet copied = (BitSet) slice.executed().clone();
        slice.sends().stream()
                .filter(send -> method.isCandidate(send) || begun.apply(send) != null)
                .forEach(copied::set);
        for (int i = copied.nextSetBit(0); i >= 0; i = copied.nextSetBit(i + 1)) {
            if (!slice.looks().get(i)) {
                checkMoves(i);
            }
        }
        StrandTypes types = new StrandTypes(method);
        Carried carried = new Carried(slice, operands);
        BitSet stops = (BitSet) slice.looks().clone();
        slice.sends().forEach(stops::set);
        stops.set(slice.region().entry());
        stops.or(asks);
        Map<Integer, Map<Register, Type>> kept = new LinkedHashMap<>();
        for (int i = stops.nextSetBit(0); i >= 0; i = stops.nextSetBit(i + 1)) {
            Map<Register, Type> here = new LinkedHashMap<>();
            for (Register register : carried.at(i)) {
                checkFinished(i, register);
                here.put(register, types.of(i, register));
            }
            kept.put(i, here);
        }
        for (Register register : slice.copiedIn()) {
            if (own.of(region.entry(), register) >= 0) {
                throw method.refused(Rule.R71, region.entry(), "a variable holds several collections");
            }
        }
        Map<Register, Type> fixed = fixed(slice, copied, types);
        Set<Integer> held = others.held(slice);
        return new StrandPlan.Strand(
                slice,
                kept,
                fixed,
                held.isEmpty() ? copies(fixed.keySet()) : Set.of(), // asked for keys as they are
                held,
                others.doors(slice));
    }

    /** The registers among some that hold collections of which a strand has copies. */
    private Set<Register> copies(Set<Register> fixed) throws Refused {
        Map<Integer, Register> copies = new LinkedHashMap<>();
        for (Register register : fixed) {
            int made = own.of(region.entry(), register);
            if (made >= 0 && copies.put(made, register) != null) {
                throw method.refused(
                        Rule.R71, region.entry(), "two variables hold one collection", "use one variable for it");
            }
        }
        return new LinkedHashSet<>(copies.values());
    }

    /** Returns the registers that the copy reads and never writes, with their types. */
    private Map<Register, Type> fixed(SendSlice slice, BitSet copied, StrandTypes types) throws Refused {
        Map<Register, Type> fixed = new LinkedHashMap<>();
        for (OwnIterator own : slice.iterators()) {
            if (!region.ops().get(own.made())) {
                fixed.put(own.iterator(), Type.getObjectType("java/util/Iterator"));
            }
        }
        for (int i = copied.nextSetBit(0); i >= 0; i = copied.nextSetBit(i + 1)) {
            if (slice.looks().get(i) && !slice.sends().contains(i)) {
                continue;
            }
            for (Register use : operands(i)) {
                if (!slice.banked().contains(use) && !fixed.containsKey(use)) {
                    fixed.put(use, types.of(slice.region().entry(), use));
                }
            }
        }
        return fixed;
    }

    /** Returns the registers that a copy of an op reads: of a call of the method itself, the values with which strands begin. */
    private List<Register> operands(int index) {
        List<Register> uses = method.op(index).uses();
        Collection<Integer> values = begun.apply(index);
        return values == null ? uses : values.stream().map(uses::get).toList();
    }

    /** Whether a site makes a function of a method that a nestmate of the class can call: of the class itself, or of the JDK. */
    private boolean isFunctionOfNest(InvokeDynamicInsnNode site) {
        MethodInsnNode target = DynamicSites.targetOf(site);
        return target != null
                && target.getOpcode() != Opcodes.INVOKESPECIAL
                && (target.owner.equals(method.graph().body().owner()) || target.owner.startsWith("java/"))
                && !others.mayBeElsewhere(site);
    }

    /** Refuses an op that works in the class itself only: the copy is a method of another class. */
    private void checkMoves(int index) throws Refused {
        Op op = method.op(index);
        boolean isConstant = !(op instanceof ConstOp constant)
                || constant.isPlain()
                || constant.value() instanceof Type type && type.getSort() != Type.METHOD;
        boolean isCode = true;
        if (op instanceof InsnOp insn) {
            boolean isSuper = insn.method() != null
                    && insn.opcode() == Opcodes.INVOKESPECIAL
                    && !insn.method().name.equals("<init>");
            boolean isOfClass = insn.dynamic() != null
                    && !insn.dynamic().bsm.getOwner().equals("java/lang/invoke/StringConcatFactory")
                    && !isFunctionOfNest(insn.dynamic())
                    && !(PatternSwitch.isSite(insn.dynamic()) && !others.mayBeElsewhere(insn.dynamic()));
            isCode = !isSuper && !isOfClass && !isForSubclasses(insn);
        }
        if (!isConstant || !isCode) {
            throw method.refused(
                    Rule.R71,
                    index,
                    "what decides about a call cannot be copied out of the class",
                    "compute it before");
        }
    }

    private boolean isForSubclasses(InsnOp op) {
        Effects effects = method.helpers().effects();
        String user = method.graph().body().owner();
        return op.field() != null && effects.isForSubclasses(user, op.field().owner, op.field().name, op.field().desc)
                || op.method() != null
                        && effects.isForSubclasses(user, op.method().owner, op.method().name, op.method().desc);
    }

    /** Refuses a register with an object whose constructor has not run yet: a strand cannot keep it. */
    private void checkFinished(int index, Register register) throws Refused {
        int made = method.whole().origin(index, register);
        if (made < 0 || !(method.op(made) instanceof InsnOp insn) || insn.opcode() != Opcodes.NEW) {
            return;
        }
        BitSet stops = new BitSet();
        stops.set(made);
        BitSet after = region.afterUpTo(index, stops);
        for (int i = after.nextSetBit(0); i >= 0; i = after.nextSetBit(i + 1)) {
            if (method.op(i) instanceof InsnOp init
                    && init.method() != null
                    && init.method().name.equals("<init>")
                    && method.whole().origin(i, init.uses().get(0)) == made) {
                throw method.refused(Rule.R26, index, "it needs an object whose constructor runs in between");
            }
        }
    }
}
