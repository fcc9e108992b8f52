package dev.cleave.agent.plan.strand;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Unsupported;
import dev.cleave.agent.plan.method.Callee;
import dev.cleave.agent.plan.method.Callees;
import dev.cleave.agent.plan.method.FunctionCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
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

/**
 * A method with its helpers written in the places where it calls them. Strands are planned in it; it never runs.
 * Helpers are methods of the class that call remote methods; where another class can override one, the object has to be of that class. What its
 * locals hold keeps its slot.
 */
final class FlatMethod {

    private static final int MOST_INSTRUCTIONS = 3_000;
    private static final int DEPTH = 4;
    private static final int MOST_ATTEMPTS = 8;

    private final Callees helpers;
    private final MethodNode real;
    private final MethodNode whole;
    private final Map<AbstractInsnNode, Origin> origins = new IdentityHashMap<>();
    private final Map<AbstractInsnNode, String> receivers = new IdentityHashMap<>();
    private final Map<List<MethodInsnNode>, AbstractInsnNode> taken = new HashMap<>(); // by the calls that lead there
    private final Map<AbstractInsnNode, MapCalls.Code> mappings = new IdentityHashMap<>();
    private final FlatRows rows;
    private final String owner;
    private final boolean fills;
    private final boolean loops; // in the places of streams
    private final CopiedResults results;
    private final Map<MethodNode, StreamsInPlace> streams = new IdentityHashMap<>();
    private final Map<Callees, Map<MethodNode, Integer>> unhandled =
            new IdentityHashMap<>(); // the depth from which there are no handlers
    private final Set<AbstractInsnNode> left;
    private int locals;
    private int stack;
    private int inlined;
    private boolean fillsInHelpers;
    private boolean givesFunctions;

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

    /** The code of a class that is written in the method. */
    private record Source(Callees in, @Nullable String elsewhere) {}

    /**
     * A function that the code is given which is being written.
     *
     * @param step how many calls of its path lie behind
     * @param captured the first of the locals that hold the values with which it was made
     * @param source the code that made it
     */
    private record Bound(FunctionCall.Given given, int step, int captured, Source source) {

        FunctionCall.Step next() {
            return given.path().get(step);
        }

        Bound handedOn() {
            return new Bound(given, step + 1, captured, source);
        }
    }

    /** Thrown when a helper cannot be written in the place of its call. */
    private static final class NotFlat extends Exception {

        private static final long serialVersionUID = 1L;

        /** The call of the method itself in whose place the code should stand, null if that is not known. */
        final transient @Nullable MethodInsnNode call;

        NotFlat(@Nullable MethodInsnNode call) {
            super("", null, false, false);
            this.call = call;
        }

        NotFlat() {
            this(null);
        }
    }

    /** Writes the functions of streams. */
    private final class InPlace implements StreamsInPlace.Target {

        private final Source source;
        private final List<MethodInsnNode> path;
        private final MethodNode from;

        InPlace(Source source, List<MethodInsnNode> path, MethodNode from) {
            this.source = source;
            this.path = path;
            this.from = from;
        }

        @Override
        public int local(Type type) {
            int at = locals;
            locals += type.getSize();
            return at;
        }

        @Override
        public boolean write(MethodNode code, MethodInsnNode end, MethodInsnNode call, int operands) {
            try {
                if (!handles(code, source, null, 0)) {
                    FlatMethod.this.write(code, source, null, call, longer(path, end), from, null, operands);
                    return true;
                }
            } catch (NotFlat e) {
                // the stream stays one
            }
            return false;
        }
    }

    private FlatMethod(
            String owner,
            MethodNode real,
            Callees helpers,
            boolean fills,
            boolean loops,
            boolean copies,
            Set<AbstractInsnNode> left)
            throws NotFlat {
        this.results = new CopiedResults(copies);
        this.fills = fills;
        this.loops = loops;
        this.left = left;
        this.owner = owner;
        this.helpers = helpers;
        this.real = real;
        this.rows = new FlatRows(owner, real, helpers, loops, left);
        this.locals = real.maxLocals;
        this.stack = real.maxStack;
        this.whole = new MethodNode(
                Opcodes.ASM9, real.access, real.name, real.desc, null, real.exceptions.toArray(new String[0]));
        copy(real, new Source(helpers, null), List.of(), 0, null, -1, null);
        whole.maxLocals = locals;
        whole.maxStack = stack + 1;
    }

    /**
     * The method with its helpers; null if it calls none, or if one of them cannot be written in the place of its call.
     *
     * @param loops whether loops stand in the places of streams
     */
    static @Nullable FlatMethod of(String owner, MethodNode real, Callees helpers, boolean loops) {
        try {
            FlatMethod flat = new FlatMethod(owner, real, helpers, true, loops, false, Set.of());
            return flat.inlined == 0 ? null : flat;
        } catch (NotFlat e) {
            return null;
        }
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
                FlatMethod flat = new FlatMethod(owner, real, helpers, true, loops, false, left);
                return flat.inlined == 0 ? null : flat;
            } catch (NotFlat e) {
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
            return fillsInHelpers ? null : new FlatMethod(owner, real, helpers, false, loops, !results.areNone(), left);
        } catch (NotFlat e) {
            return null;
        }
    }

    /** The same, with copies of arrays and lists that calls return; null if no call returns one. */
    @Nullable
    FlatMethod withCopies() {
        return withCopies(owner, real, helpers, fills, loops, left);
    }

    /** A method that calls no helpers, with copies of arrays and lists that its calls return; null if none returns one. */
    static @Nullable FlatMethod withCopies(String owner, MethodNode real, Callees helpers) {
        Set<AbstractInsnNode> left = Collections.newSetFromMap(new IdentityHashMap<>());
        real.instructions.forEach(left::add);
        return withCopies(owner, real, helpers, false, false, left);
    }

    private static @Nullable FlatMethod withCopies(
            String owner, MethodNode real, Callees helpers, boolean fills, boolean loops, Set<AbstractInsnNode> left) {
        try {
            FlatMethod flat = new FlatMethod(owner, real, helpers, fills, loops, true, left);
            return flat.results.areNone() ? null : flat;
        } catch (NotFlat e) {
            return null;
        }
    }

    /** The results of calls that strands copy. */
    CopiedResults copies() {
        return results;
    }

    /** Whether the method, or a helper, gives functions that make remote calls to methods that call them. */
    boolean givesFunctions() {
        return givesFunctions;
    }

    /** Whether the method, or a helper, fills a map by hand. */
    boolean fillsByHand() {
        return mappings.values().stream().anyMatch(code -> code.all().isEmpty());
    }

    /** Returns the code with the helpers in their places. */
    MethodBody body() throws Unsupported {
        return helpers.build(whole);
    }

    /** Whether an instruction comes from another class. */
    boolean isElsewhere(AbstractInsnNode insn) {
        Origin origin = origins.get(insn);
        return origin != null && origin.elsewhere() != null;
    }

    /** Where an instruction of its code comes from. */
    @Nullable
    Origin origin(AbstractInsnNode insn) {
        return origins.get(insn);
    }

    /**
     * The classes that objects must be of exactly, by the instruction in front of the code of the other class that takes the
     * object.
     */
    Map<AbstractInsnNode, String> receivers() {
        return receivers;
    }

    /** The classes of the instructions that come from other classes, by their internal names. */
    Map<AbstractInsnNode, String> elsewhere() {
        Map<AbstractInsnNode, String> found = new IdentityHashMap<>();
        origins.forEach((insn, origin) -> {
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
        return taken.get(path);
    }

    private static List<MethodInsnNode> longer(List<MethodInsnNode> path, MethodInsnNode call) {
        List<MethodInsnNode> longer = new ArrayList<>(path);
        longer.add(call);
        return longer;
    }

    /** Returns the code that fills a map with the result of a call; null if none does. */
    MapCalls.@Nullable Code mapping(AbstractInsnNode insn) {
        return mappings.get(insn);
    }

    /** Returns the code that fills maps, by the calls whose results it puts there. */
    Map<AbstractInsnNode, MapCalls.Code> mappings() {
        return mappings;
    }

    /** Whether other code stands in the place of an instruction of a method. */
    static boolean isWritten(Callees in, MethodInsnNode call) {
        return CopiedMethods.target(in, call) != null && Walks.of(in).of(call) == null
                || CopiedMethods.elsewhere(in, call) != null
                || in.functions(call) != null
                || MapCalls.of(call, in) != null;
    }

    private void copy(
            MethodNode from,
            Source source,
            List<MethodInsnNode> path,
            int offset,
            @Nullable LabelNode end,
            int result,
            @Nullable List<Bound> bound)
            throws NotFlat {
        Map<LabelNode, LabelNode> labels = new HashMap<>();
        for (AbstractInsnNode insn : from.instructions) {
            if (insn instanceof LabelNode label) {
                labels.put(label, new LabelNode());
            }
        }
        int line = -1;
        InsnList to = whole.instructions;
        boolean isFlattened = !path.isEmpty() && path.get(path.size() - 1) instanceof FlattenedCall;
        Set<AbstractInsnNode> opened = isFlattened ? FlattenedCall.streams(from) : Set.of();
        if (opened == null) {
            throw new NotFlat();
        }
        boolean isGiven = bound != null; // and holds no call of its own
        Map<AbstractInsnNode, Integer> sites = isGiven ? Map.of() : sites(from, source);
        List<HandFilledMaps.Filling> fillings = fills && !isGiven ? HandFilledMaps.of(from, source.in()) : List.of();
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
            if (opened.contains(insn) || loops && !isGiven && writeStream(insn, source, path, from)) {
                continue;
            }
            if (insn instanceof MethodInsnNode call
                    && !left.contains(insn)
                    && (bound == null
                            ? path.isEmpty() ? writeOwn(call, source, sites) : write(call, source, path, from, sites)
                            : writeGiven(call, source, path, from, bound))) {
                continue;
            }
            Integer captured = sites.get(insn);
            if (captured != null) {
                store(Type.getArgumentTypes(((InvokeDynamicInsnNode) insn).desc), captured);
                to.add(new LdcInsnNode("")); // code only compares it with null
                continue;
            }
            MapCalls.Mapping mapping =
                    insn instanceof MethodInsnNode call && !isGiven ? MapCalls.of(call, source.in()) : null;
            if (mapping != null) {
                inlined++;
                MapCalls.Code code = mapping.code(locals);
                mappings.put(code.sent(), code);
                for (AbstractInsnNode each : code.all()) {
                    origins.put(each, new Origin(path, from, insn, line, source.elsewhere()));
                    to.add(each);
                }
                locals += mapping.locals();
                stack += mapping.stack();
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
            origins.put(clone, new Origin(path, from, insn, line, source.elsewhere()));
            to.add(clone);
            if (clone instanceof MethodInsnNode call && source.in().isRemote(call)) {
                stack += results.write(call, to);
            }
        }
        for (HandFilledMaps.Filling filling : fillings) {
            if (clones.get(filling.get()) instanceof MethodInsnNode get
                    && clones.get(filling.sent()) instanceof MethodInsnNode sent
                    && clones.get(filling.put()) instanceof MethodInsnNode put) {
                inlined++;
                fillsInHelpers |= !path.isEmpty();
                mappings.put(sent, new MapCalls.Code(List.of(), get, sent, put));
            }
        }
        for (TryCatchBlockNode handler : from.tryCatchBlocks) {
            whole.tryCatchBlocks.add(new TryCatchBlockNode(
                    labels.get(handler.start), labels.get(handler.end), labels.get(handler.handler), handler.type));
        }
    }

    /** Makes an object behind the operands of its constructor. */
    private void writeConstruction(MethodInsnNode constructor, List<MethodInsnNode> path, MethodNode from, int line) {
        inlined++;
        Type[] operands = Type.getArgumentTypes(constructor.desc);
        int first = locals;
        locals += size(operands);
        store(operands, first);
        List<AbstractInsnNode> code = List.of(
                new TypeInsnNode(Opcodes.NEW, constructor.owner),
                new InsnNode(Opcodes.DUP),
                constructor.clone(Map.of()));
        for (AbstractInsnNode insn : code) {
            if (insn == code.get(2)) {
                load(operands, first);
            }
            origins.put(insn, new Origin(path, from, constructor, line, null));
            whole.instructions.add(insn);
        }
    }

    /** Writes what stands in the place of a part of a stream; false if it is none. */
    private boolean writeStream(AbstractInsnNode insn, Source source, List<MethodInsnNode> path, MethodNode from)
            throws NotFlat {
        InPlace target = new InPlace(source, path, from);
        StreamsInPlace in = streams.get(from);
        if (in == null) {
            String of = source.elsewhere() == null ? owner : source.elsewhere();
            in = new StreamsInPlace(of, from, source.in(), left, target);
            streams.put(from, in);
        }
        StreamCode stream = insn instanceof MethodInsnNode call ? in.of(call) : null;
        try {
            boolean isWritten = in.write(insn, whole.instructions, target);
            stack += isWritten ? 8 : 0;
            return isWritten;
        } catch (StreamsInPlace.Unwritten e) {
            throw new NotFlat(stream == null ? null : stream.end());
        }
    }

    /**
     * The locals for the values with which functions are made that a method gives to others, by the instructions that make
     * the functions.
     */
    private Map<AbstractInsnNode, Integer> sites(MethodNode from, Source source) {
        Map<AbstractInsnNode, Integer> sites = new IdentityHashMap<>();
        for (AbstractInsnNode insn : from.instructions) {
            FunctionCall functions =
                    insn instanceof MethodInsnNode call && !left.contains(insn) ? functions(call, source) : null;
            for (FunctionCall.Given given : functions == null ? List.<FunctionCall.Given>of() : functions.given()) {
                sites.put(given.function().site(), locals);
                locals += size(Type.getArgumentTypes(given.function().site().desc));
            }
        }
        return sites;
    }

    private static @Nullable FunctionCall functions(MethodInsnNode call, Source source) {
        return source.elsewhere() == null ? source.in().functions(call) : null;
    }

    private static int size(Type[] types) {
        int size = 0;
        for (Type type : types) {
            size += type.getSize();
        }
        return size;
    }

    /** Moves operands to locals. */
    private void store(Type[] types, int first) {
        int slot = first + size(types);
        for (int i = types.length - 1; i >= 0; i--) {
            slot -= types[i].getSize();
            whole.instructions.add(new VarInsnNode(types[i].getOpcode(Opcodes.ISTORE), slot));
        }
    }

    private void load(Type[] types, int first) {
        int slot = first;
        for (Type type : types) {
            whole.instructions.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), slot));
            slot += type.getSize();
        }
    }

    /** Writes the code of a function in the place where it is called, or that of the method to which it is handed on. */
    private boolean writeGiven(
            MethodInsnNode call, Source source, List<MethodInsnNode> path, MethodNode from, List<Bound> bound)
            throws NotFlat {
        List<Bound> here =
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
                    here.stream().map(Bound::handedOn).toList(),
                    operands);
            return true;
        }
        Bound function = here.get(0);
        MethodNode code = function.given().code();
        Type[] wanted = Type.getArgumentTypes(code.desc);
        Type[] captured = Type.getArgumentTypes(function.given().function().site().desc);
        int receivers = (code.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
        Type result = Type.getReturnType(code.desc);
        Type expected = Type.getReturnType(call.desc);
        if (wanted.length + receivers != captured.length + arguments.length) {
            throw new NotFlat();
        }
        LoopCode values = new LoopCode(whole.instructions, new LabelNode(), new LabelNode());
        int given = locals;
        locals += size(arguments);
        store(arguments, given);
        whole.instructions.add(new InsnNode(Opcodes.POP));
        load(captured, function.captured());
        for (int i = 0; i < arguments.length; i++) {
            Type type = wanted[wanted.length - arguments.length + i];
            load(new Type[] {arguments[i]}, given);
            given += arguments[i].getSize();
            if (!values.convert(arguments[i], type)) {
                throw new NotFlat();
            }
        }
        stack += captured.length * 2 + size(arguments);
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
            Source source,
            MethodInsnNode call,
            List<MethodInsnNode> path,
            MethodNode from,
            List<Bound> bound,
            int operands)
            throws NotFlat {
        boolean isOwn = callee.owner().equals(owner) || callee.owner().startsWith("java/");
        Source in = new Source(source.in(), isOwn ? null : callee.owner());
        String exact = callee.owner().equals(owner) && call.getOpcode() != Opcodes.INVOKESTATIC
                ? CopiedMethods.exact(source.in(), call, callee.code())
                : null;
        write(callee.code(), in, exact, call, path, from, bound, operands);
    }

    /** Writes the method that a call of the method itself calls. */
    private boolean writeOwn(MethodInsnNode call, Source source, Map<AbstractInsnNode, Integer> sites) throws NotFlat {
        try {
            return write(call, source, List.of(), real, sites);
        } catch (NotFlat e) {
            throw new NotFlat(call);
        }
    }

    /** Writes the method that a call calls in the place of the call, if it is one that can be written there. */
    private boolean write(
            MethodInsnNode call,
            Source source,
            List<MethodInsnNode> path,
            MethodNode from,
            Map<AbstractInsnNode, Integer> sites)
            throws NotFlat {
        int operands = Type.getArgumentTypes(call.desc).length + (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
        FunctionCall functions = functions(call, source);
        if (functions != null) {
            List<Bound> bound = new ArrayList<>();
            for (FunctionCall.Given given : functions.given()) {
                int captured = requireNonNull(sites.get(given.function().site()), "site");
                bound.add(new Bound(given, 0, captured, source));
            }
            givesFunctions = true;
            writeFunctions(functions.callee(), source, call, path, from, bound, operands);
            return true;
        }
        MethodNode own = CopiedMethods.target(source.in(), call);
        if (own != null
                && own != real
                && source.elsewhere() == null
                && Walks.of(helpers).of(call) != null) {
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
                    new Source(source.in().calleesOf(callee), callee.owner()),
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
            Source source,
            @Nullable String exact,
            MethodInsnNode call,
            List<MethodInsnNode> path,
            MethodNode from,
            @Nullable List<Bound> bound,
            int operands)
            throws NotFlat {
        boolean isRecursive = path.stream()
                .anyMatch(caller -> caller.owner.equals(call.owner)
                        && caller.name.equals(target.name)
                        && caller.desc.equals(target.desc));
        boolean callsItself = target == real
                || source.elsewhere() == null && target.name.equals(whole.name) && target.desc.equals(whole.desc);
        if (isRecursive || callsItself || path.size() >= DEPTH) {
            throw new NotFlat();
        }
        inlined++;
        int base = locals;
        locals += target.maxLocals;
        stack += target.maxStack;
        Type type = Type.getReturnType(target.desc);
        int result = type.getSort() == Type.VOID ? -1 : locals;
        locals += type.getSize();
        List<Type> arguments = new ArrayList<>(List.of(Type.getArgumentTypes(target.desc)));
        if ((target.access & Opcodes.ACC_STATIC) == 0) {
            arguments.add(0, Type.getObjectType("java/lang/Object"));
        }
        int slot = base + arguments.stream().mapToInt(Type::getSize).sum();
        for (int i = arguments.size() - 1; i >= 0; i--) {
            slot -= arguments.get(i).getSize();
            whole.instructions.add(new VarInsnNode(arguments.get(i).getOpcode(Opcodes.ISTORE), slot));
        }
        if (exact != null) {
            whole.instructions.add(new VarInsnNode(Opcodes.ALOAD, base));
            MethodInsnNode receives = new MethodInsnNode(
                    Opcodes.INVOKESTATIC,
                    "java/util/Objects",
                    "requireNonNull",
                    "(Ljava/lang/Object;)Ljava/lang/Object;",
                    false);
            receivers.put(receives, exact);
            taken.put(longer(path, call), receives);
            whole.instructions.add(receives);
            whole.instructions.add(new InsnNode(Opcodes.POP));
            stack++;
        }
        List<VarInsnNode> kept = handles(target, source, bound, 0) ? keep(below(from, call, operands)) : List.of();
        List<MethodInsnNode> longer = new ArrayList<>(path);
        longer.add(call);
        LabelNode end = new LabelNode();
        copy(target, source, longer, base, end, result, bound);
        whole.instructions.add(end);
        kept.forEach(whole.instructions::add);
        if (result >= 0) {
            whole.instructions.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), result));
        } else {
            whole.instructions.add(new InsnNode(Opcodes.NOP));
        }
    }

    /** Whether a method, or one that is written in it, has handlers. */
    private boolean handles(MethodNode target, Source source, @Nullable List<Bound> bound, int depth) {
        Map<MethodNode, Integer> known = unhandled.computeIfAbsent(source.in(), in -> new IdentityHashMap<>());
        if (bound == null && known.getOrDefault(target, Integer.MAX_VALUE) <= depth) {
            return false;
        }
        boolean handles = !target.tryCatchBlocks.isEmpty();
        for (Bound each : bound == null ? List.<Bound>of() : bound) {
            handles |= handles(each.given().code(), each.source(), null, depth + 1);
            for (FunctionCall.Step step : each.given().path()) {
                handles |= step.callee() != null
                        && !step.callee().code().tryCatchBlocks.isEmpty();
            }
        }
        for (AbstractInsnNode insn : target.instructions) {
            if (handles || depth > DEPTH || bound != null) {
                break;
            }
            FunctionCall functions = insn instanceof MethodInsnNode call ? functions(call, source) : null;
            MethodNode own = insn instanceof MethodInsnNode call ? CopiedMethods.target(source.in(), call) : null;
            Callee callee = insn instanceof MethodInsnNode call ? CopiedMethods.elsewhere(source.in(), call) : null;
            if (functions != null) {
                List<Bound> given = functions.given().stream()
                        .map(each -> new Bound(each, 0, 0, source))
                        .toList();
                handles = handles(functions.callee().code(), source, given, depth + 1);
            } else if (own != null) {
                handles = handles(own, source, null, depth + 1);
            } else if (callee != null) {
                Source in = new Source(source.in().calleesOf(callee), callee.owner());
                handles = handles(callee.code(), in, null, depth + 1);
            }
        }
        if (bound == null && !handles) {
            known.put(target, depth);
        }
        return handles;
    }

    /** Moves operands to variables, as a handler finds none on the stack; returns what brings them back. */
    private List<VarInsnNode> keep(List<BasicValue> operands) {
        List<VarInsnNode> back = new ArrayList<>();
        for (int i = operands.size() - 1; i >= 0; i--) {
            Type type = operands.get(i).getType();
            whole.instructions.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), locals));
            back.add(0, new VarInsnNode(type.getOpcode(Opcodes.ILOAD), locals));
            locals += type.getSize();
        }
        return back;
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
