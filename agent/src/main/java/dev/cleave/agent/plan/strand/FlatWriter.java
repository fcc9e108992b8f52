package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.FunctionCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/** Writes the code of a {@link FlatMethod}: that of a method, with other code in the places of some of its calls. */
final class FlatWriter {

    private static final int MOST_INSTRUCTIONS = 3_000;
    private static final int DEPTH = 4;

    private final FlatMethod.Wish wish;
    private final MethodNode real;
    private final WrittenCode written;
    private final FlatHandlers handlers = new FlatHandlers(DEPTH);
    private final Map<MethodNode, StreamsInPlace> streams = new IdentityHashMap<>();
    private final FlatMethod.Notes notes;
    private final FlatRows rows;
    private int replaced; // calls in whose places other code stands
    private boolean fillsInHelpers;
    private boolean givesFunctions;

    /** Thrown when a helper cannot be written in the place of its call. */
    static final class NotFlat extends Exception {

        private static final long serialVersionUID = 1L;

        /** The call of the method itself in whose place the code should stand, null if that is not known. */
        final transient @Nullable MethodInsnNode call;

        private NotFlat(@Nullable MethodInsnNode call) {
            super("", null, false, false);
            this.call = call;
        }

        private NotFlat() {
            this(null);
        }
    }

    /** Writes the functions of streams. */
    private final class InPlace implements StreamsInPlace.Target {

        private final FlatSource source;
        private final List<MethodInsnNode> path;
        private final MethodNode from;

        InPlace(FlatSource source, List<MethodInsnNode> path, MethodNode from) {
            this.source = source;
            this.path = path;
            this.from = from;
        }

        @Override
        public int local(Type type) {
            return written.newLocals(type.getSize());
        }

        @Override
        public boolean write(MethodNode code, MethodInsnNode end, MethodInsnNode call, int operands) {
            try {
                if (!handlers.areIn(code, source)) {
                    FlatWriter.this.write(code, source, null, call, longer(path, end), from, null, operands);
                    return true;
                }
            } catch (NotFlat e) {
                // the stream stays one
            }
            return false;
        }
    }

    private FlatWriter(FlatMethod.Wish wish) {
        this.wish = wish;
        real = wish.real();
        written = new WrittenCode(real);
        notes = new FlatMethod.Notes(new CopiedResults(wish.copies()));
        rows = new FlatRows(wish.owner(), real, wish.helpers(), wish.loops(), wish.left());
    }

    /**
     * Writes the code.
     *
     * @throws NotFlat if a call that the wish does not leave cannot have other code in its place
     */
    static FlatMethod write(FlatMethod.Wish wish) throws NotFlat {
        FlatWriter writer = new FlatWriter(wish);
        writer.copy(writer.real, new FlatSource(wish.helpers(), null), List.of(), 0, null, -1, null);
        return new FlatMethod(
                wish,
                writer.written.method(),
                writer.notes,
                writer.rows,
                new FlatMethod.Extent(writer.replaced > 0, writer.fillsInHelpers, writer.givesFunctions));
    }

    private void copy(
            MethodNode from,
            FlatSource source,
            List<MethodInsnNode> path,
            int offset,
            @Nullable LabelNode end,
            int result,
            @Nullable List<BoundFunction> bound)
            throws NotFlat {
        Map<LabelNode, LabelNode> labels = new HashMap<>();
        for (AbstractInsnNode insn : from.instructions) {
            if (insn instanceof LabelNode label) {
                labels.put(label, new LabelNode());
            }
        }
        int line = -1;
        InsnList to = written.instructions();
        boolean isFlattened = !path.isEmpty() && path.get(path.size() - 1) instanceof FlattenedCall;
        Set<AbstractInsnNode> opened = isFlattened ? FlattenedCall.streams(from) : Set.of();
        if (opened == null) {
            throw new NotFlat();
        }
        boolean isGiven = bound != null; // and holds no call of its own
        Map<AbstractInsnNode, Integer> sites = isGiven ? Map.of() : sites(from, source);
        List<HandFilledMaps.Filling> fillings =
                wish.fills() && !isGiven ? HandFilledMaps.of(from, source.in()) : List.of();
        Map<AbstractInsnNode, AbstractInsnNode> clones = new IdentityHashMap<>();
        Constructions constructions = isGiven || source.elsewhere() != null
                ? new Constructions(Map.of())
                : Constructions.of(from, source.in());
        for (AbstractInsnNode insn : from.instructions) {
            if (to.size() > MOST_INSTRUCTIONS) {
                throw new NotFlat();
            }
            if (insn instanceof LineNumberNode number) {
                line = number.line;
                if (path.isEmpty()) { // by these marks a place of the method itself is found here
                    to.add(number.clone(labels));
                }
                continue;
            }
            if (opened.contains(insn) || wish.loops() && !isGiven && writeStream(insn, source, path, from)) {
                continue;
            }
            if (insn instanceof MethodInsnNode call
                    && !wish.left().contains(insn)
                    && (bound == null
                            ? path.isEmpty() ? writeOwn(call, source, sites) : write(call, source, path, from, sites)
                            : writeGiven(call, source, path, from, bound))) {
                continue;
            }
            Integer captured = sites.get(insn);
            if (captured != null) {
                written.store(Type.getArgumentTypes(((InvokeDynamicInsnNode) insn).desc), captured);
                to.add(new LdcInsnNode("")); // code only compares it with null
                continue;
            }
            MapCalls.Mapping mapping =
                    insn instanceof MethodInsnNode call && !isGiven ? MapCalls.of(call, source.in()) : null;
            if (mapping != null) {
                replaced++;
                MapCalls.Code code = mapping.code(written.newLocals(mapping.locals()));
                notes.mappings().put(code.sent(), code);
                for (AbstractInsnNode each : code.all()) {
                    notes.origins().put(each, new FlatMethod.Origin(path, from, insn, line, source.elsewhere()));
                    to.add(each);
                }
                written.grow(mapping.stack());
                continue;
            }
            if (MapCalls.isFunctionOfMapping(insn, source.in())) {
                continue;
            }
            boolean isReturn = insn.getOpcode() >= Opcodes.IRETURN && insn.getOpcode() <= Opcodes.RETURN;
            if (isReturn && end != null) {
                if (result >= 0) {
                    to.add(new VarInsnNode(insn.getOpcode() - Opcodes.IRETURN + Opcodes.ISTORE, result));
                }
                to.add(new JumpInsnNode(Opcodes.GOTO, end));
                continue;
            }
            if (fillings.stream().anyMatch(filling -> filling.cast() == insn)) {
                continue; // a strand only asks whether there is a value
            }
            if (constructions.isLeftOut(insn)) {
                continue;
            }
            if (insn instanceof MethodInsnNode call && constructions.made().containsKey(call)) {
                writeConstruction(call, path, from, line);
                continue;
            }
            AbstractInsnNode clone = insn.clone(labels);
            clones.put(insn, clone);
            if (clone instanceof VarInsnNode variable) {
                variable.var += offset;
            } else if (clone instanceof IincInsnNode counter) {
                counter.var += offset;
            }
            notes.origins().put(clone, new FlatMethod.Origin(path, from, insn, line, source.elsewhere()));
            to.add(clone);
            if (clone instanceof MethodInsnNode call && source.in().isRemote(call)) {
                written.grow(notes.results().write(call, to));
            }
        }
        for (HandFilledMaps.Filling filling : fillings) {
            if (clones.get(filling.get()) instanceof MethodInsnNode get
                    && clones.get(filling.sent()) instanceof MethodInsnNode sent
                    && clones.get(filling.put()) instanceof MethodInsnNode put) {
                replaced++;
                fillsInHelpers |= !path.isEmpty();
                notes.mappings().put(sent, new MapCalls.Code(List.of(), get, sent, put));
            }
        }
        for (TryCatchBlockNode handler : from.tryCatchBlocks) {
            written.method()
                    .tryCatchBlocks
                    .add(new TryCatchBlockNode(
                            labels.get(handler.start),
                            labels.get(handler.end),
                            labels.get(handler.handler),
                            handler.type));
        }
    }

    /** Makes an object behind the operands of its constructor. */
    private void writeConstruction(MethodInsnNode constructor, List<MethodInsnNode> path, MethodNode from, int line) {
        replaced++;
        Type[] operands = Type.getArgumentTypes(constructor.desc);
        int first = written.newLocals(WrittenCode.size(operands));
        written.store(operands, first);
        List<AbstractInsnNode> code = List.of(
                new TypeInsnNode(Opcodes.NEW, constructor.owner),
                new InsnNode(Opcodes.DUP),
                constructor.clone(Map.of()));
        for (AbstractInsnNode insn : code) {
            if (insn == code.get(2)) {
                written.load(operands, first);
            }
            notes.origins().put(insn, new FlatMethod.Origin(path, from, constructor, line, null));
            written.add(insn);
        }
    }

    /** Writes what stands in the place of a part of a stream; false if it is none. */
    private boolean writeStream(AbstractInsnNode insn, FlatSource source, List<MethodInsnNode> path, MethodNode from)
            throws NotFlat {
        InPlace target = new InPlace(source, path, from);
        StreamsInPlace in = streams.get(from);
        if (in == null) {
            String of = source.elsewhere() == null ? wish.owner() : source.elsewhere();
            in = new StreamsInPlace(of, from, source.in(), wish.left(), target);
            streams.put(from, in);
        }
        StreamCode stream = insn instanceof MethodInsnNode call ? in.of(call) : null;
        try {
            boolean isWritten = in.write(insn, written.instructions(), target);
            written.grow(isWritten ? 8 : 0);
            return isWritten;
        } catch (StreamsInPlace.Unwritten e) {
            throw new NotFlat(stream == null ? null : stream.end());
        }
    }

    /**
     * The locals for the values with which functions are made that a method gives to others, by the instructions that make
     * the functions.
     */
    private Map<AbstractInsnNode, Integer> sites(MethodNode from, FlatSource source) {
        Map<AbstractInsnNode, Integer> sites = new IdentityHashMap<>();
        for (AbstractInsnNode insn : from.instructions) {
            FunctionCall functions =
                    insn instanceof MethodInsnNode call && !wish.left().contains(insn) ? source.functions(call) : null;
            for (FunctionCall.Given given : functions == null ? List.<FunctionCall.Given>of() : functions.given()) {
                AbstractInsnNode site = given.function().site();
                sites.put(
                        site,
                        written.newLocals(WrittenCode.size(
                                Type.getArgumentTypes(given.function().site().desc))));
            }
        }
        return sites;
    }

    /** Writes the code of a function in the place where it is called, or that of the method to which it is handed on. */
    private boolean writeGiven(
            MethodInsnNode call,
            FlatSource source,
            List<MethodInsnNode> path,
            MethodNode from,
            List<BoundFunction> bound)
            throws NotFlat {
        List<BoundFunction> here =
                bound.stream().filter(each -> each.next().call() == call).toList();
        if (here.isEmpty()) {
            return false;
        }
        Callee callee = here.get(0).next().callee();
        Type[] arguments = Type.getArgumentTypes(call.desc);
        if (callee != null) {
            int operands = arguments.length + (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
            writeFunctions(
                    callee,
                    source,
                    call,
                    path,
                    from,
                    here.stream().map(BoundFunction::handedOn).toList(),
                    operands);
            return true;
        }
        BoundFunction function = here.get(0);
        MethodNode code = function.given().code();
        Type[] wanted = Type.getArgumentTypes(code.desc);
        Type[] captured = Type.getArgumentTypes(function.given().function().site().desc);
        int receivers = (code.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
        Type result = Type.getReturnType(code.desc);
        Type expected = Type.getReturnType(call.desc);
        if (wanted.length + receivers != captured.length + arguments.length) {
            throw new NotFlat();
        }
        LoopCode values = new LoopCode(written.instructions(), new LabelNode(), new LabelNode());
        int given = written.newLocals(WrittenCode.size(arguments));
        written.store(arguments, given);
        written.add(new InsnNode(Opcodes.POP));
        written.load(captured, function.captured());
        for (int i = 0; i < arguments.length; i++) {
            Type type = wanted[wanted.length - arguments.length + i];
            written.load(new Type[] {arguments[i]}, given);
            given += arguments[i].getSize();
            if (!values.convert(arguments[i], type)) {
                throw new NotFlat();
            }
        }
        written.grow(captured.length * 2 + WrittenCode.size(arguments));
        write(code, function.source(), null, call, path, from, null, arguments.length + 1);
        if (expected.getSort() == Type.VOID) {
            values.drop(result);
        } else if (!values.convert(result, expected)) {
            throw new NotFlat();
        }
        return true;
    }

    private void writeFunctions(
            Callee callee,
            FlatSource source,
            MethodInsnNode call,
            List<MethodInsnNode> path,
            MethodNode from,
            List<BoundFunction> bound,
            int operands)
            throws NotFlat {
        boolean isOwn = callee.owner().equals(wish.owner()) || callee.owner().startsWith("java/");
        FlatSource in = new FlatSource(source.in(), isOwn ? null : callee.owner());
        String exact = callee.owner().equals(wish.owner()) && call.getOpcode() != Opcodes.INVOKESTATIC
                ? CopiedMethods.exact(source.in(), call, callee.code())
                : null;
        write(callee.code(), in, exact, call, path, from, bound, operands);
    }

    /** Writes the method that a call of the method itself calls. */
    private boolean writeOwn(MethodInsnNode call, FlatSource source, Map<AbstractInsnNode, Integer> sites)
            throws NotFlat {
        try {
            return write(call, source, List.of(), real, sites);
        } catch (NotFlat e) {
            throw new NotFlat(call);
        }
    }

    /** Writes the method that a call calls in the place of the call, if it is one that can be written there. */
    private boolean write(
            MethodInsnNode call,
            FlatSource source,
            List<MethodInsnNode> path,
            MethodNode from,
            Map<AbstractInsnNode, Integer> sites)
            throws NotFlat {
        int operands = Type.getArgumentTypes(call.desc).length + (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
        FunctionCall functions = source.functions(call);
        if (functions != null) {
            List<BoundFunction> bound = new ArrayList<>();
            for (FunctionCall.Given given : functions.given()) {
                int captured = requireNonNull(sites.get(given.function().site()), "site");
                bound.add(new BoundFunction(given, 0, captured, source));
            }
            givesFunctions = true;
            writeFunctions(functions.callee(), source, call, path, from, bound, operands);
            return true;
        }
        MethodNode own = CopiedMethods.target(source.in(), call);
        if (own != null
                && own != real
                && source.elsewhere() == null
                && Walks.of(wish.helpers()).of(call) != null) {
            return false; // strands begin its activations where it is called
        }
        if (own != null) {
            write(own, source, CopiedMethods.exact(source.in(), call, own), call, path, from, null, operands);
            return true;
        }
        Callee callee = CopiedMethods.elsewhere(source.in(), call);
        boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
        if (isStatic && callee != null && rows.offered(source.in(), callee) == null) {
            return false; // nothing would tell whether the class is there
        }
        if (callee != null) {
            write(
                    callee.code(),
                    new FlatSource(source.in().calleesOf(callee), callee.owner()),
                    isStatic ? null : callee.exact(),
                    call,
                    path,
                    from,
                    null,
                    operands);
        }
        return callee != null;
    }

    private void write(
            MethodNode target,
            FlatSource source,
            @Nullable String exact,
            MethodInsnNode call,
            List<MethodInsnNode> path,
            MethodNode from,
            @Nullable List<BoundFunction> bound,
            int operands)
            throws NotFlat {
        boolean isRecursive = path.stream()
                .anyMatch(caller -> caller.owner.equals(call.owner)
                        && caller.name.equals(target.name)
                        && caller.desc.equals(target.desc));
        boolean callsItself = target == real || source.elsewhere() == null && written.isOf(target);
        if (isRecursive || callsItself || path.size() >= DEPTH) {
            throw new NotFlat();
        }
        replaced++;
        int base = written.newLocals(target.maxLocals);
        written.grow(target.maxStack);
        Type type = Type.getReturnType(target.desc);
        int result = type.getSort() == Type.VOID ? -1 : written.newLocals(type.getSize());
        List<Type> arguments = new ArrayList<>(List.of(Type.getArgumentTypes(target.desc)));
        if ((target.access & Opcodes.ACC_STATIC) == 0) {
            arguments.add(0, Type.getObjectType("java/lang/Object"));
        }
        int slot = base + arguments.stream().mapToInt(Type::getSize).sum();
        for (int i = arguments.size() - 1; i >= 0; i--) {
            slot -= arguments.get(i).getSize();
            written.add(new VarInsnNode(arguments.get(i).getOpcode(Opcodes.ISTORE), slot));
        }
        if (exact != null) {
            written.add(new VarInsnNode(Opcodes.ALOAD, base));
            MethodInsnNode receives = new MethodInsnNode(
                    Opcodes.INVOKESTATIC,
                    "java/util/Objects",
                    "requireNonNull",
                    "(Ljava/lang/Object;)Ljava/lang/Object;",
                    false);
            notes.receivers().put(receives, exact);
            notes.taken().put(longer(path, call), receives);
            written.add(receives);
            written.add(new InsnNode(Opcodes.POP));
            written.grow(1);
        }
        List<VarInsnNode> kept =
                handlers.areIn(target, source, bound) ? written.keep(below(from, call, operands)) : List.of();
        List<MethodInsnNode> longer = new ArrayList<>(path);
        longer.add(call);
        LabelNode end = new LabelNode();
        copy(target, source, longer, base, end, result, bound);
        written.add(end);
        kept.forEach(written::add);
        if (result >= 0) {
            written.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), result));
        } else {
            written.add(new InsnNode(Opcodes.NOP));
        }
    }

    private static List<MethodInsnNode> longer(List<MethodInsnNode> path, MethodInsnNode call) {
        List<MethodInsnNode> longer = new ArrayList<>(path);
        longer.add(call);
        return longer;
    }

    /** Returns the operands on the stack below the arguments of a call. */
    private static List<BasicValue> below(MethodNode from, MethodInsnNode call, int arguments) throws NotFlat {
        try {
            Frame<BasicValue>[] frames = new Analyzer<>(new BasicInterpreter()).analyze("java/lang/Object", from);
            Frame<BasicValue> frame = frames[from.instructions.indexOf(call)];
            if (frame == null) {
                throw new NotFlat(); // nothing leads here
            }
            List<BasicValue> found = new ArrayList<>();
            for (int i = 0; i < frame.getStackSize() - arguments; i++) {
                found.add(frame.getStack(i));
            }
            return found;
        } catch (AnalyzerException e) {
            throw new NotFlat();
        }
    }
}
