package dev.cleave.serial;

import dev.cleave.Ref;
import dev.cleave.ValueCodec;
import java.io.Externalizable;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects every class that declared types name, through fields, record components, type arguments and sealed permits.
 */
final class TypeWalk {

    private final Map<String, Class<?>> concrete = new LinkedHashMap<>();
    private final Map<String, Class<?>> named = new LinkedHashMap<>();
    private final Map<String, Class<?>> remote = new LinkedHashMap<>();
    private final List<String> mistakes = new ArrayList<>();
    private final Set<Type> seen = new HashSet<>();

    /** Creates a walk; classes with codecs are not looked into. */
    TypeWalk(List<ValueCodec<?>> codecs) {
        for (ValueCodec<?> codec : codecs) {
            concrete.put(codec.type().getName(), codec.type());
            named.put(codec.type().getName(), codec.type());
            seen.add(codec.type());
        }
    }

    /** The classes whose instances may travel, by name. */
    Map<String, Class<?>> concrete() {
        return concrete;
    }

    /** All classes that were named, abstract ones included: the element types of arrays. */
    Map<String, Class<?>> named() {
        return named;
    }

    /** The types of which references travel, by name. */
    Map<String, Class<?>> remote() {
        return remote;
    }

    /** Says whether values of a declared type travel as references. */
    static boolean isReferred(Class<?> type) {
        return type == Ref.class || TypePolicy.isRemote(type);
    }

    /** The types that cannot be sent, each with the path to it. */
    List<String> mistakes() {
        return mistakes;
    }

    /** Visits a declared type; {@code path} is its place in messages. */
    void visit(Type type, String path) {
        if (type instanceof Class<?> c) {
            visitClass(c, path);
        } else if (type instanceof ParameterizedType p) {
            visit(p.getRawType(), path);
            for (Type argument : p.getActualTypeArguments()) {
                visit(argument, path);
            }
        } else if (type instanceof GenericArrayType a) {
            visit(a.getGenericComponentType(), path);
        } else if (type instanceof WildcardType w) {
            for (Type bound : w.getUpperBounds()) {
                visit(bound, path);
            }
        } else if (type instanceof TypeVariable<?> v && seen.add(v)) {
            for (Type bound : v.getBounds()) {
                visit(bound, path);
            }
        }
    }

    private void visitClass(Class<?> type, String path) {
        if (type.isArray()) {
            visitClass(type.getComponentType(), path);
            return;
        }
        if (type.isPrimitive() || !seen.add(type)) {
            return;
        }
        if (TypePolicy.ELEMENTS.contains(type)) {
            named.put(type.getName(), type);
            remote.put(type.getName(), type);
            return;
        }
        if (Jdk.has(type)) {
            visitJdk(type, path);
            return;
        }
        named.put(type.getName(), type);
        if (isReferred(type)) {
            remote.put(type.getName(), type);
            return;
        }
        if (type.isEnum()) {
            concrete.put(type.getName(), type);
            return;
        }
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                visitClass(permitted, path);
            }
        }
        if (type.isInterface()) {
            return;
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            visitConcrete(type, path);
        }
        visitFields(type, path);
    }

    private void visitJdk(Class<?> type, String path) {
        boolean usable = JdkTypes.isKnown(type)
                || Throwable.class.isAssignableFrom(type)
                || (type.isInterface()
                                || Modifier.isAbstract(type.getModifiers())
                                || type == Object.class
                                || type == InetAddress.class)
                        && JdkTypes.isSupertype(type)
                || type.isEnum();
        if (!usable) {
            seen.remove(type);
            mistakes.add(path + ": " + type.getName() + " is not a value and cannot be sent"
                    + (path.startsWith("allow: ") ? " (a codec may write it, see docs/values.md)" : ""));
            return;
        }
        named.put(type.getName(), type);
        if (type.isEnum()) {
            concrete.put(type.getName(), type);
        }
    }

    private void visitConcrete(Class<?> type, String path) {
        if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
            mistakes.add(path + ": " + type.getName() + " is an inner class and cannot be sent (make it static)");
            return;
        }
        Class<?> base = type.getSuperclass();
        while (!Jdk.has(base)) {
            base = base.getSuperclass();
        }
        boolean isOpen = base == Object.class || base == Record.class || Throwable.class.isAssignableFrom(base);
        if (!isOpen && !Externalizable.class.isAssignableFrom(type)) {
            mistakes.add(path + ": " + type.getName() + " extends " + base.getName()
                    + ", whose state cannot be read, and cannot be sent (hold one in a field instead)");
            return;
        }
        concrete.put(type.getName(), type);
        Class<?> replacing = Replacing.of(type).replaces();
        if (replacing != null) {
            visitReplacements(replacing, path);
        }
        StreamForm form = StreamForm.of(type);
        if (form != null) {
            form.own().forEach(level -> visitWritten(level.type(), path));
        }
    }

    /** The classes that a class keeps for its replacements: member classes that become it again. */
    private void visitReplacements(Class<?> type, String path) {
        for (Class<?> member : type.getDeclaredClasses()) {
            if (Replacing.of(member).resolves()) {
                visitClass(member, path + " -> " + member.getSimpleName());
            }
        }
    }

    /** The serializable classes of transient fields, which {@code writeObject} may write as objects. */
    private void visitWritten(Class<?> type, String path) {
        for (Field field : type.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            if (Modifier.isTransient(modifiers) && !Modifier.isStatic(modifiers) && isWritable(field.getType())) {
                int known = mistakes.size();
                visit(field.getGenericType(), path);
                mistakes.subList(known, mistakes.size()).clear();
            }
        }
    }

    private static boolean isWritable(Class<?> type) {
        return Serializable.class.isAssignableFrom(type) || Jdk.has(type);
    }

    private void visitFields(Class<?> type, String path) {
        for (Field field : ProgramFields.of(type)) {
            if (field.getDeclaringClass() == type) {
                visit(field.getGenericType(), path + " -> " + type.getSimpleName() + "." + field.getName());
            }
        }
        if (type.getGenericSuperclass() != null) {
            visitSuper(type.getGenericSuperclass(), path);
        }
    }

    /** The superclass's fields travel with the object, but the superclass alone need not. */
    private void visitSuper(Type above, String path) {
        if (above instanceof ParameterizedType p) {
            for (Type argument : p.getActualTypeArguments()) {
                visit(argument, path);
            }
            visitSuper(p.getRawType(), path);
        } else if (above instanceof Class<?> c && !Jdk.has(c)) {
            visitFields(c, path);
        }
    }
}
