package dev.cleave.agent.scan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The contents of one interface's class file, without its superinterfaces. */
final class InterfaceFile extends ClassVisitor {

    private static final String REMOTE = "Ldev/cleave/Remote;";
    private static final String LATER = "Ldev/cleave/Later;";
    private static final Set<String> RESTORED = Set.of("Ldev/cleave/Out;", "Ldev/cleave/InOut;");

    private static final Set<String> LARGE =
            Set.of("java/util/List", "java/util/Map", "java/util/Set", "java/util/Collection");

    private final Words ownWords = new Words();
    private final Map<String, Words> methods = new LinkedHashMap<>();
    private final Map<String, String> signatures = new HashMap<>();
    private final Map<String, Set<Integer>> laters = new HashMap<>();
    private final Map<String, Set<Integer>> restored = new HashMap<>();
    private boolean isInterface;
    private boolean marked;
    private List<String> parents = List.of();

    private InterfaceFile() {
        super(Opcodes.ASM9);
    }

    /** Reads a class file; null if it is newer than the reader knows, or broken. */
    static @Nullable InterfaceFile read(byte[] classFile) {
        InterfaceFile file = new InterfaceFile();
        try {
            new ClassReader(classFile)
                    .accept(file, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return null;
        }
        return file;
    }

    boolean isInterface() {
        return isInterface;
    }

    /** Whether the interface itself is annotated as remote. */
    boolean marked() {
        return marked;
    }

    List<String> parents() {
        return parents;
    }

    /** The settings of the abstract methods that this file declares. */
    Map<String, CallSetting> settings() {
        Map<String, CallSetting> settings = new HashMap<>();
        methods.forEach((key, words) -> settings.put(key, isFuture(key) ? CallSetting.SYNC : setting(words)));
        settings.replaceAll(
                (key, setting) -> CallbackTypes.isFetched(Type.getReturnType(key.substring(key.indexOf('('))))
                        ? setting.with(Reading.NONE) // a call for nothing would leave its elements open
                        : setting);
        restored.forEach((key, places) -> settings.compute(
                key,
                (same, setting) ->
                        setting != null && areArrays(key, places) ? setting.restoring(places) : CallSetting.RESTORES));
        return settings;
    }

    /**
     * Whether parameters are arrays of primitives or strings, or arrays of such arrays: to change them runs no code of the
     * program.
     */
    private static boolean areArrays(String key, Set<Integer> places) {
        Type[] types = Type.getArgumentTypes(key.substring(key.indexOf('(')));
        return places.stream().allMatch(place -> types[place].getSort() == Type.ARRAY && isPlain(types[place]));
    }

    private static boolean isPlain(Type array) {
        Type element = array.getElementType();
        return element.getSort() < Type.ARRAY || element.getDescriptor().equals("Ljava/lang/String;");
    }

    /** Whether the caller gets the result later by other means than the agent's: a future, or Kotlin's continuation. */
    private static boolean isFuture(String key) {
        return key.endsWith(")Ljava/util/concurrent/CompletableFuture;")
                || key.endsWith("Lkotlin/coroutines/Continuation;)Ljava/lang/Object;");
    }

    /** The generic signatures of these methods, or their descriptors. */
    Map<String, String> signatures() {
        return signatures;
    }

    /**
     * The {@code @Later} parameters of these methods, from 0, and {@link ScannedInterface#RESULT}; methods without are
     * absent.
     */
    Map<String, Set<Integer>> laters() {
        return laters;
    }

    /**
     * The parameters of these methods, from 0, that a caller may stream though they are not {@code @Later}: those whose
     * values may be large. Methods with restored parameters have none.
     */
    Map<String, Set<Integer>> streamables() {
        Map<String, Set<Integer>> streamables = new HashMap<>();
        for (String key : methods.keySet()) {
            Set<Integer> places = restored.containsKey(key) ? Set.of() : streamables(key.substring(key.indexOf('(')));
            if (!places.isEmpty()) {
                streamables.put(key, places);
            }
        }
        return streamables;
    }

    private static Set<Integer> streamables(String descriptor) {
        Set<Integer> places = new HashSet<>();
        Type[] types = Type.getArgumentTypes(descriptor);
        for (int i = 0; i < types.length; i++) {
            String name = types[i].getSort() == Type.OBJECT ? types[i].getInternalName() : "";
            boolean isSmall = name.startsWith("java/") && !LARGE.contains(name) || name.startsWith("dev/cleave/Later");
            if (types[i].getSort() == Type.ARRAY || !name.isEmpty() && !isSmall) {
                places.add(i);
            }
        }
        return places;
    }

    private CallSetting setting(Words method) {
        Reading reading = method.reading().kind() != Reading.Kind.NONE ? method.reading() : ownWords.reading();
        CallSetting style = method.style() != null ? method.style() : ownWords.style();
        if (style == null) {
            boolean changesNothing = reading.kind() != Reading.Kind.NONE;
            style = changesNothing ? CallSetting.async(CallSetting.AUTOMATIC_WINDOW) : CallSetting.SYNC;
        }
        return style.with(reading);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0 && (access & Opcodes.ACC_ANNOTATION) == 0;
        parents = interfaces == null ? List.of() : List.of(interfaces);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
        marked |= descriptor.equals(REMOTE);
        return ownWords.annotation(descriptor);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        if ((access & Opcodes.ACC_ABSTRACT) == 0 || (access & Opcodes.ACC_STATIC) != 0) {
            return null;
        }
        Words words = new Words();
        methods.put(name + descriptor, words);
        signatures.put(name + descriptor, signature == null ? descriptor : signature);
        return new MethodVisitor(Opcodes.ASM9) {
            @Override
            public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                if (annotation.equals(LATER)) {
                    later(ScannedInterface.RESULT);
                }
                return words.annotation(annotation);
            }

            @Override
            public @Nullable AnnotationVisitor visitParameterAnnotation(
                    int parameter, String annotation, boolean visible) {
                if (annotation.equals(LATER)) {
                    later(parameter);
                } else if (RESTORED.contains(annotation)) {
                    restored.computeIfAbsent(name + descriptor, key -> new HashSet<>())
                            .add(parameter);
                }
                return null;
            }

            private void later(int number) {
                laters.computeIfAbsent(name + descriptor, key -> new HashSet<>())
                        .add(number);
            }
        };
    }

    /** The binary name of an internal one. */
    static String binaryName(String internalName) {
        return Type.getObjectType(internalName).getClassName();
    }
}
