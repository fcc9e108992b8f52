import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.BIPUSH;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.POP2;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.PUTSTATIC;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.SIPUSH;
import static org.objectweb.asm.Opcodes.V17;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Gives each lambda and method reference of some classes a class file of its own, as javac does for an anonymous class. The JVM then loads
 * it, where it would otherwise link a call site and make a class at run time, which takes longer. Class files without lambdas stay as they
 * are, so a second run changes nothing.
 *
 * <p>The build runs it from its source: {@code LambdaClasses FOLDER LIST}, where each line of LIST names a class; classes within it are
 * meant, too. Behind the name of a class that makes a table of many lambdas once, a line has the word {@code together}: those of them that
 * capture alike and have the same interface become one class, which switches between them by a number.
 */
public final class LambdaClasses {

    private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";
    private static final String INSTANCE = "INSTANCE";
    private static final String CREATE = "create";
    private static final String NUMBER = "number";
    private static final String TOGETHER = "together";

    /** Internal names of the classes whose lambdas share classes. */
    private final Set<String> together = new TreeSet<>();

    /** New class files by internal name. */
    private final Map<String, byte[]> made = new TreeMap<>();

    /** Names of new classes by the internal name of their nest's host. */
    private final Map<String, List<String>> members = new TreeMap<>();

    private LambdaClasses() {}

    /** Rewrites class files below a folder. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        LambdaClasses lambdas = new LambdaClasses();
        Set<String> chosen = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of(args[1]))) {
            String[] words = line.split(" ");
            chosen.add(words[0]);
            if (words.length > 1 && words[1].equals(TOGETHER)) {
                lambdas.together.add(words[0].replace('.', '/'));
            }
        }
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(file -> file.toString().endsWith(".class"))
                    .forEach(file -> files.put(
                            folder.relativize(file).toString().replace('\\', '/').replaceFirst("\\.class$", ""), file));
        }
        for (String name : chosen) {
            if (!files.containsKey(name.replace('.', '/'))) {
                throw new IllegalArgumentException(args[1] + ": " + name + " (expected: a class below " + folder + ")");
            }
        }
        Map<String, byte[]> changed = new TreeMap<>();
        for (Map.Entry<String, Path> each : files.entrySet()) {
            if (!chosen.contains(each.getKey().replaceFirst("\\$.*", "").replace('/', '.'))) {
                continue;
            }
            byte[] before = Files.readAllBytes(each.getValue());
            byte[] after = lambdas.rewritten(before);
            if (after != null) {
                changed.put(each.getKey(), after);
            }
        }
        for (String host : lambdas.members.keySet()) {
            byte[] file = changed.containsKey(host) ? changed.get(host) : Files.readAllBytes(files.get(host));
            changed.put(host, lambdas.withMembers(host, file));
        }
        changed.putAll(lambdas.made);
        for (Map.Entry<String, byte[]> each : changed.entrySet()) {
            Files.write(folder.resolve(each.getKey() + ".class"), each.getValue());
        }
    }

    /** Returns a class file whose lambdas are classes, null if it has none. */
    private byte[] rewritten(byte[] file) {
        ClassReader reader = new ClassReader(file);
        ClassWriter writer = new ClassWriter(0); // no constants of call sites that are gone
        Sites sites = new Sites(writer);
        reader.accept(sites, 0);
        for (Map.Entry<String, List<Site>> each : sites.found.entrySet()) {
            String name = each.getKey();
            members.computeIfAbsent(sites.host, key -> new ArrayList<>()).add(name);
            made.put(name, lambda(name, sites.host, sites.source, each.getValue(), sites.shares()));
        }
        return sites.found.isEmpty() ? null : writer.toByteArray();
    }

    private byte[] withMembers(String host, byte[] file) {
        ClassReader reader = new ClassReader(file);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(ASM9, writer) {
                    @Override
                    public void visitEnd() {
                        members.get(host).forEach(this::visitNestMember);
                        super.visitEnd();
                    }
                },
                0);
        return writer.toByteArray();
    }

    /** Replaces the call sites of lambdas in one class. */
    private final class Sites extends ClassVisitor {

        private String owner = "";
        private String host = "";
        private String source;

        /** By the names of new classes what these run. */
        private final Map<String, List<Site>> found = new LinkedHashMap<>();

        /** The names of new classes by the kind of their lambdas. */
        private final Map<String, String> kinds = new HashMap<>();

        Sites(ClassVisitor to) {
            super(ASM9, to);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            owner = name;
            host = name;
            super.visit(version, access, name, signature, parent, interfaces);
        }

        boolean shares() {
            return together.contains(owner);
        }

        @Override
        public void visitSource(String file, String debug) {
            source = file;
            super.visitSource(file, debug);
        }

        @Override
        public void visitNestHost(String nestHost) {
            host = nestHost;
            super.visitNestHost(nestHost);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, thrown);
            return new MethodVisitor(ASM9, to) {
                @Override
                public void visitMaxs(int stack, int locals) {
                    super.visitMaxs(stack + 1, locals); // for the number of a lambda
                }

                @Override
                public void visitInvokeDynamicInsn(
                        String method, String site, Handle bootstrap, Object... arguments) {
                    if (!bootstrap.getOwner().equals(FACTORY) || !bootstrap.getName().equals("metafactory")) {
                        super.visitInvokeDynamicInsn(method, site, bootstrap, arguments);
                        return;
                    }
                    Site lambda = new Site(
                            method,
                            Type.getMethodType(site),
                            (Type) arguments[0],
                            (Handle) arguments[1],
                            (Type) arguments[2]);
                    String kind = shares() ? method + lambda.erased() + site : "" + found.size();
                    String name = kinds.computeIfAbsent(kind, key -> owner + "$$Lambda$" + (found.size() + 1));
                    List<Site> alike = found.computeIfAbsent(name, key -> new ArrayList<>());
                    if (shares()) {
                        push(this, alike.size());
                        super.visitMethodInsn(INVOKESTATIC, name, CREATE, numbered(site), false);
                    } else if (lambda.site().getArgumentTypes().length == 0) {
                        super.visitFieldInsn(
                                GETSTATIC, name, INSTANCE, lambda.site().getReturnType().getDescriptor());
                    } else {
                        super.visitMethodInsn(INVOKESTATIC, name, CREATE, site, false);
                    }
                    alike.add(lambda);
                }
            };
        }
    }

    /**
     * What a call site says of its lambda.
     *
     * @param method the name of the interface's method
     * @param site from what the lambda captures to its interface
     * @param erased the method of the interface
     * @param body the code to run
     * @param actual the method with the types that it has here
     */
    private record Site(String method, Type site, Type erased, Handle body, Type actual) {}

    private static String numbered(String site) {
        return site.replace(")", "I)");
    }

    private static void push(MethodVisitor code, int number) {
        if (number <= Byte.MAX_VALUE) {
            code.visitIntInsn(BIPUSH, number);
        } else {
            code.visitIntInsn(SIPUSH, number);
        }
    }

    /** Makes a class of one lambda, or of several that share it. */
    private static byte[] lambda(String name, String host, String source, List<Site> lambdas, boolean isShared) {
        Site first = lambdas.get(0);
        Type face = first.site().getReturnType();
        Type site = isShared ? Type.getMethodType(numbered(first.site().getDescriptor())) : first.site();
        Type[] kept = site.getArgumentTypes(); // the number is the last one
        ClassWriter to = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        to.visit(
                V17,
                ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC,
                name,
                null,
                "java/lang/Object",
                new String[] {face.getInternalName()});
        to.visitSource(source, null);
        to.visitNestHost(host);
        for (int i = 0; i < kept.length; i++) {
            to.visitField(ACC_PRIVATE | ACC_FINAL, field(kept, i, isShared), kept[i].getDescriptor(), null, null);
        }
        constructor(to, name, kept, isShared);
        if (kept.length == 0) {
            single(to, name, face);
        } else {
            create(to, name, site);
        }
        method(to, name, lambdas, isShared);
        to.visitEnd();
        return to.toByteArray();
    }

    private static String field(Type[] kept, int index, boolean isShared) {
        return isShared && index == kept.length - 1 ? NUMBER : "c" + index;
    }

    private static void constructor(ClassWriter to, String name, Type[] captured, boolean isShared) {
        MethodVisitor code =
                to.visitMethod(ACC_PRIVATE, "<init>", Type.getMethodDescriptor(Type.VOID_TYPE, captured), null, null);
        code.visitCode();
        code.visitVarInsn(ALOAD, 0);
        code.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        int local = 1;
        for (int i = 0; i < captured.length; i++) {
            code.visitVarInsn(ALOAD, 0);
            code.visitVarInsn(captured[i].getOpcode(ILOAD), local);
            code.visitFieldInsn(PUTFIELD, name, field(captured, i, isShared), captured[i].getDescriptor());
            local += captured[i].getSize();
        }
        end(code, RETURN);
    }

    /** A lambda that captures nothing is one object, as the JVM makes it. */
    private static void single(ClassWriter to, String name, Type face) {
        to.visitField(ACC_STATIC | ACC_FINAL, INSTANCE, face.getDescriptor(), null, null);
        MethodVisitor code = to.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
        code.visitCode();
        code.visitTypeInsn(NEW, name);
        code.visitInsn(DUP);
        code.visitMethodInsn(INVOKESPECIAL, name, "<init>", "()V", false);
        code.visitFieldInsn(PUTSTATIC, name, INSTANCE, face.getDescriptor());
        end(code, RETURN);
    }

    private static void create(ClassWriter to, String name, Type site) {
        MethodVisitor code = to.visitMethod(ACC_STATIC, CREATE, site.getDescriptor(), null, null);
        code.visitCode();
        code.visitTypeInsn(NEW, name);
        code.visitInsn(DUP);
        int local = 0;
        for (Type each : site.getArgumentTypes()) {
            code.visitVarInsn(each.getOpcode(ILOAD), local);
            local += each.getSize();
        }
        code.visitMethodInsn(
                INVOKESPECIAL,
                name,
                "<init>",
                Type.getMethodDescriptor(Type.VOID_TYPE, site.getArgumentTypes()),
                false);
        end(code, ARETURN);
    }

    private static void method(ClassWriter to, String name, List<Site> lambdas, boolean isShared) {
        Site first = lambdas.get(0);
        MethodVisitor code = to.visitMethod(ACC_PUBLIC, first.method(), first.erased().getDescriptor(), null, null);
        code.visitCode();
        if (isShared) {
            Label[] starts = new Label[lambdas.size() - 1];
            Arrays.setAll(starts, i -> new Label());
            Label last = new Label(); // of the greatest number, and of no other
            code.visitVarInsn(ALOAD, 0);
            code.visitFieldInsn(GETFIELD, name, NUMBER, "I");
            Label[] targets = starts.length == 0 ? new Label[] {last} : starts;
            code.visitTableSwitchInsn(0, targets.length - 1, last, targets);
            for (int i = 0; i < lambdas.size(); i++) {
                code.visitLabel(i < starts.length ? starts[i] : last);
                code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                run(code, name, lambdas.get(i));
            }
        } else {
            run(code, name, first);
        }
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void run(MethodVisitor code, String name, Site lambda) {
        Type[] captured = lambda.site().getArgumentTypes();
        Handle body = lambda.body();
        boolean makes = body.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        if (makes) {
            code.visitTypeInsn(NEW, body.getOwner());
            code.visitInsn(DUP);
        }
        List<Type> wanted = new ArrayList<>();
        if (!makes && body.getTag() != Opcodes.H_INVOKESTATIC) {
            wanted.add(Type.getObjectType(body.getOwner()));
        }
        wanted.addAll(List.of(Type.getArgumentTypes(body.getDesc())));
        for (int i = 0; i < captured.length; i++) {
            code.visitVarInsn(ALOAD, 0);
            code.visitFieldInsn(GETFIELD, name, "c" + i, captured[i].getDescriptor());
            convert(code, captured[i], captured[i], wanted.get(i));
        }
        int local = 1;
        Type[] erased = lambda.erased().getArgumentTypes();
        Type[] actual = lambda.actual().getArgumentTypes();
        for (int i = 0; i < erased.length; i++) {
            code.visitVarInsn(erased[i].getOpcode(ILOAD), local);
            convert(code, erased[i], actual[i], wanted.get(captured.length + i));
            local += erased[i].getSize();
        }
        invoke(code, body);
        Type given = makes ? Type.getObjectType(body.getOwner()) : Type.getReturnType(body.getDesc());
        Type due = lambda.erased().getReturnType();
        if (due.equals(Type.VOID_TYPE)) {
            drop(code, given);
        } else {
            convert(code, given, lambda.actual().getReturnType(), due);
        }
        code.visitInsn(due.getOpcode(IRETURN));
    }

    private static void invoke(MethodVisitor code, Handle body) {
        int op =
                switch (body.getTag()) {
                    case Opcodes.H_INVOKESTATIC -> INVOKESTATIC;
                    case Opcodes.H_NEWINVOKESPECIAL -> INVOKESPECIAL;
                    // also private methods, of which a nest mate may call those of its own nest
                    default -> body.isInterface() ? INVOKEINTERFACE : INVOKEVIRTUAL;
                };
        code.visitMethodInsn(op, body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
    }

    private static void drop(MethodVisitor code, Type given) {
        if (given.getSize() > 0) {
            code.visitInsn(given.getSize() == 2 ? POP2 : POP);
        }
    }

    /** Makes a value of one type one of another, by way of the type that the program gives it. */
    private static void convert(MethodVisitor code, Type from, Type by, Type to) {
        Type now = from;
        if (isReference(now) && isReference(by) && !now.equals(by)) {
            cast(code, by);
            now = by;
        }
        if (isReference(now) && !isReference(to)) {
            Type box = boxOf(to);
            if (!now.equals(box)) {
                Type own = primitiveOf(now);
                if (own == null) { // an Object or a type variable, of which the program knows what it is
                    cast(code, box);
                } else {
                    unbox(code, now, own);
                    widen(code, own, to);
                    return;
                }
            }
            unbox(code, box, to);
        } else if (!isReference(now) && isReference(to)) {
            Type box = boxOf(now);
            code.visitMethodInsn(
                    INVOKESTATIC, box.getInternalName(), "valueOf", Type.getMethodDescriptor(box, now), false);
        } else if (!isReference(now)) {
            widen(code, now, to);
        } else if (!now.equals(to)) {
            cast(code, to);
        }
    }

    private static void cast(MethodVisitor code, Type to) {
        if (!to.getInternalName().equals("java/lang/Object")) {
            code.visitTypeInsn(CHECKCAST, to.getInternalName());
        }
    }

    private static void unbox(MethodVisitor code, Type box, Type to) {
        code.visitMethodInsn(
                INVOKEVIRTUAL, box.getInternalName(), to.getClassName() + "Value", "()" + to.getDescriptor(), false);
    }

    private static void widen(MethodVisitor code, Type from, Type to) {
        if (from.equals(to) || from.getOpcode(ILOAD) == to.getOpcode(ILOAD)) {
            return;
        }
        String both = letter(from) + "2" + letter(to);
        int op =
                switch (both) {
                    case "I2J" -> Opcodes.I2L;
                    case "I2F" -> Opcodes.I2F;
                    case "I2D" -> Opcodes.I2D;
                    case "J2F" -> Opcodes.L2F;
                    case "J2D" -> Opcodes.L2D;
                    case "F2D" -> Opcodes.F2D;
                    default -> throw new IllegalStateException("no such conversion: " + both);
                };
        code.visitInsn(op);
    }

    private static String letter(Type primitive) {
        return primitive.getOpcode(ILOAD) == ILOAD ? "I" : primitive.getDescriptor();
    }

    private static boolean isReference(Type type) {
        return type.getSort() >= Type.ARRAY;
    }

    private static Type boxOf(Type primitive) {
        return Type.getObjectType(
                "java/lang/"
                        + switch (primitive.getSort()) {
                            case Type.BOOLEAN -> "Boolean";
                            case Type.CHAR -> "Character";
                            case Type.BYTE -> "Byte";
                            case Type.SHORT -> "Short";
                            case Type.INT -> "Integer";
                            case Type.FLOAT -> "Float";
                            case Type.LONG -> "Long";
                            default -> "Double";
                        });
    }

    private static Type primitiveOf(Type box) {
        for (Type each : List.of(
                Type.BOOLEAN_TYPE,
                Type.CHAR_TYPE,
                Type.BYTE_TYPE,
                Type.SHORT_TYPE,
                Type.INT_TYPE,
                Type.FLOAT_TYPE,
                Type.LONG_TYPE,
                Type.DOUBLE_TYPE)) {
            if (boxOf(each).equals(box)) {
                return each;
            }
        }
        return null;
    }

    private static void end(MethodVisitor code, int op) {
        code.visitInsn(op);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }
}
