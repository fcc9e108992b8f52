package dev.cleave.broker.compat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;

/** One version of a program: the classes of a jar or folder, none of which is loaded. */
public final class Program {

    private static final String REMOTE = "Ldev/cleave/Remote;";
    private static final String RMI = "java/rmi/Remote";

    private final Map<String, ClassFile> classes = new HashMap<>();

    private Program() {}

    /**
     * Reads a jar, with the classes of a jar of Spring Boot or a WAR, or a folder of class files.
     *
     * @throws IOException if it cannot be read
     */
    public static Program read(Path place) throws IOException {
        Program program = new Program();
        if (Files.isDirectory(place)) {
            try (var files = Files.walk(place)) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".class")).toList()) {
                    program.add(Files.readAllBytes(file));
                }
            }
            return program;
        }
        try (InputStream in = Files.newInputStream(place)) {
            program.addJar(in);
        }
        return program;
    }

    private void addJar(InputStream in) throws IOException {
        ZipInputStream jar = new ZipInputStream(in);
        for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
            String name = entry.getName();
            if (name.endsWith(".jar") && (name.startsWith("BOOT-INF/lib/") || name.startsWith("WEB-INF/lib/"))) {
                addJar(jar);
            } else if (name.endsWith(".class")
                    && !name.startsWith("META-INF/")
                    && !name.endsWith("module-info.class")) {
                add(jar.readAllBytes());
            }
        }
    }

    private void add(byte[] bytes) throws IOException {
        try {
            ClassFile file = ClassFile.read(bytes);
            classes.putIfAbsent(file.name, file);
        } catch (IllegalArgumentException e) { // a class file of a later version
            throw new IOException("a class file that cannot be read: " + e.getMessage(), e);
        }
    }

    @Nullable
    ClassFile get(String name) {
        return classes.get(name);
    }

    /** Whether there is any class. */
    public boolean isEmpty() {
        return classes.isEmpty();
    }

    /** The remote interfaces, by name. */
    Map<String, ClassFile> remote() {
        Map<String, ClassFile> remote = new TreeMap<>();
        classes.values().stream().filter(this::isRemote).forEach(c -> remote.put(c.name, c));
        return remote;
    }

    private boolean isRemote(ClassFile type) {
        return type.is(Opcodes.ACC_INTERFACE)
                && (type.annotations.contains(REMOTE) || supertypes(type.name).contains(RMI));
    }

    /** All supertypes of a class that are known, and the class itself. */
    Set<String> supertypes(String name) {
        Set<String> all = new LinkedHashSet<>(Set.of(name));
        ArrayDeque<String> left = new ArrayDeque<>(all);
        for (String next = left.poll(); next != null; next = left.poll()) {
            ClassFile file = get(next);
            List<String> above = new ArrayList<>();
            if (file != null) {
                above.addAll(file.interfaces);
                if (file.above != null) {
                    above.add(file.above);
                }
            }
            above.stream().filter(all::add).forEach(left::add);
        }
        return all;
    }

    /** The methods that are called remotely, by name and descriptor; also those of the interfaces above. */
    Map<String, ClassFile.Method> methods(ClassFile remote) {
        Map<String, ClassFile.Method> methods = new TreeMap<>();
        for (String each : supertypes(remote.name)) {
            ClassFile file = get(each);
            if (file != null && file.is(Opcodes.ACC_INTERFACE)) {
                file.methods.forEach((key, method) -> {
                    if ((method.access & Opcodes.ACC_ABSTRACT) != 0) {
                        methods.putIfAbsent(key, method);
                    }
                });
            }
        }
        return methods;
    }

    /** The fields of a class that travel, superclasses first, by name; the most special one of a name. */
    Map<String, ClassFile.Field> fields(ClassFile type) {
        Map<String, ClassFile.Field> fields = new LinkedHashMap<>();
        ClassFile above = type.above == null ? null : get(type.above);
        if (above != null) {
            fields.putAll(fields(above));
        }
        type.fields.stream().filter(ClassFile.Field::travels).forEach(f -> fields.put(f.name(), f));
        return fields;
    }

    /**
     * The value classes that methods name, directly or through others: in their parameters, or else in their results and
     * exceptions.
     */
    Set<ClassFile> values(Iterable<ClassFile.Method> methods, boolean ofParameters) {
        Set<ClassFile> found = new LinkedHashSet<>();
        ArrayDeque<String> left = new ArrayDeque<>();
        for (ClassFile.Method method : methods) {
            String whole = method.signature == null ? method.descriptor : method.signature;
            int end = whole.lastIndexOf(')') + 1;
            if (ofParameters) {
                left.addAll(names(whole.substring(0, end) + 'V', false));
            } else {
                left.addAll(names("()" + whole.substring(end), false));
                left.addAll(method.thrown);
            }
        }
        for (String next = left.poll(); next != null; next = left.poll()) {
            ClassFile type = get(next);
            if (type == null || isRemote(type) || !found.add(type)) {
                continue;
            }
            left.addAll(type.permitted);
            if (type.above != null) {
                left.add(type.above);
            }
            if (type.signature != null) {
                left.addAll(names(type.signature, false));
            }
            if (!type.isEnum()) {
                type.fields.stream()
                        .filter(ClassFile.Field::travels)
                        .forEach(f -> left.addAll(names(f.signature() == null ? f.descriptor() : f.signature(), true)));
            }
        }
        return found;
    }

    /** The names of the classes in a signature or descriptor, of a field or else of a method or class. */
    private static Set<String> names(String signature, boolean isOfField) {
        Set<String> names = new LinkedHashSet<>();
        SignatureVisitor visitor = new SignatureVisitor(Opcodes.ASM9) {
            private String open = "";

            @Override
            public void visitClassType(String name) {
                open = name;
                names.add(name);
            }

            @Override
            public void visitInnerClassType(String name) {
                open = open + '$' + name;
                names.add(open);
            }
        };
        if (isOfField) {
            new SignatureReader(signature).acceptType(visitor);
        } else {
            new SignatureReader(signature).accept(visitor);
        }
        return names;
    }
}
