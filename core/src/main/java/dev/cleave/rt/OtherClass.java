package dev.cleave.rt;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge that a class of the program has of objects of another class whose code it has a copy of (R71): whether an object is
 * of that class, and the private members that the copied code uses.
 *
 * <p>No class is loaded or initialised here: code is copied only for an object that is there, of a class that the same
 * loader has defined in the same module. Called by rewritten bytecode.
 */
public final class OtherClass {

    private static final int GETSTATIC = 178;
    private static final int GETFIELD = 180;
    private static final int INVOKEVIRTUAL = 182;
    private static final int INVOKESPECIAL = 183;
    private static final int INVOKESTATIC = 184;
    private static final int INVOKEINTERFACE = 185;

    private static final MethodHandle IS_OF;
    private static final MethodHandle TAKES;
    private static final MethodHandle IS_OPEN;

    static {
        try {
            IS_OF = MethodHandles.lookup()
                    .findStatic(
                            OtherClass.class,
                            "isOf",
                            MethodType.methodType(boolean.class, Class.class, String.class, Object.class));
            TAKES = MethodHandles.lookup()
                    .findStatic(
                            OtherClass.class,
                            "takes",
                            MethodType.methodType(
                                    boolean.class, Class.class, String.class, String.class, Object.class));
            IS_OPEN =
                    MethodHandles.lookup().findVirtual(OpenClass.class, "isOpen", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private OtherClass() {}

    /**
     * Links a test: {@code (Object) -> boolean}, whether an object is of exactly the class of a name, defined by the
     * loader of the caller in its module.
     *
     * @param type the binary name of the class
     */
    public static CallSite test(MethodHandles.Lookup caller, String name, MethodType signature, String type) {
        return new ConstantCallSite(MethodHandles.insertArguments(IS_OF, 0, caller.lookupClass(), type)
                .asType(signature));
    }

    /**
     * Links a test: {@code (Object) -> boolean}, whether an object is of that class, and the class has shown that one of its
     * methods takes what strands of other classes send.
     *
     * @param type the binary name of the class
     * @param contract describes the method
     */
    public static CallSite takes(
            MethodHandles.Lookup caller, String name, MethodType signature, String type, String contract) {
        return new ConstantCallSite(MethodHandles.insertArguments(TAKES, 0, caller.lookupClass(), type, contract)
                .asType(signature));
    }

    @SuppressWarnings("UnusedMethod") // through its method handle
    private static boolean takes(Class<?> caller, String name, String contract, @Nullable Object object) {
        if (object == null || !isOf(caller, name, object)) {
            return false;
        }
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            if (Entrance.of(type, contract).isOpen()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Links a test: {@code () -> boolean}, whether a class of a name, defined by the loader of the caller in its module, has shown that
     * one of its static methods takes what strands of other classes send.
     *
     * @param type the binary name of the class
     * @param contract describes the method
     */
    public static CallSite open(
            MethodHandles.Lookup caller, String name, MethodType signature, String type, String contract) {
        return new ConstantCallSite(IS_OPEN.bindTo(new OpenClass(caller.lookupClass(), type, contract))
                .asType(signature));
    }

    private static boolean isOf(Class<?> caller, String name, @Nullable Object object) {
        if (object == null) {
            return false;
        }
        Class<?> type = object.getClass();
        return type.getName().equals(name) && isMate(caller, type);
    }

    /** Whether the loader of a class has defined another one too, in the same module. */
    static boolean isMate(Class<?> caller, Class<?> type) {
        return type.getClassLoader() == caller.getClassLoader() && type.getModule() == caller.getModule();
    }

    /**
     * Links the use of a member as code of another class uses it.
     *
     * @param name of the member
     * @param signature the operands and the result
     * @param from internal name of the class whose code it is, which is loaded
     * @param owner internal name of the class that the code names
     * @param descriptor of the member
     * @param opcode that of the instruction
     */
    public static CallSite member(
            MethodHandles.Lookup caller,
            String name,
            MethodType signature,
            String from,
            String owner,
            String descriptor,
            int opcode)
            throws ReflectiveOperationException {
        ClassLoader loader = caller.lookupClass().getClassLoader();
        Class<?> code = Class.forName(from.replace('/', '.'), false, loader);
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(code, MethodHandles.lookup());
        Class<?> named = Class.forName(owner.replace('/', '.'), false, loader);
        MethodHandle member =
                switch (opcode) {
                    case GETFIELD -> lookup.findGetter(named, name, fieldType(descriptor, loader));
                    case GETSTATIC -> lookup.findStaticGetter(named, name, fieldType(descriptor, loader));
                    case INVOKEVIRTUAL, INVOKEINTERFACE ->
                        lookup.findVirtual(named, name, MethodType.fromMethodDescriptorString(descriptor, loader));
                    case INVOKESPECIAL ->
                        lookup.findSpecial(
                                named, name, MethodType.fromMethodDescriptorString(descriptor, loader), code);
                    case INVOKESTATIC ->
                        lookup.findStatic(named, name, MethodType.fromMethodDescriptorString(descriptor, loader));
                    default -> throw new IllegalArgumentException("opcode: " + opcode + " (expected: a use)");
                };
        return new ConstantCallSite(member.asType(signature));
    }

    private static Class<?> fieldType(String descriptor, @Nullable ClassLoader loader) {
        return MethodType.fromMethodDescriptorString("()" + descriptor, loader).returnType();
    }
}
