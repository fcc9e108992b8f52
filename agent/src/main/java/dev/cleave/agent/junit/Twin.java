package dev.cleave.agent.junit;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Calls the methods of a test on an instance of the same class in another loader. Used by one thread. */
final class Twin implements InvocationInterceptor, ParameterResolver, AfterEachCallback {

    private final Way way;
    private final PairedRuns pair;
    private final ProgramLoader loader;
    private final Evidence evidence = new Evidence();
    private @Nullable Object instance;

    Twin(Way way, PairedRuns pair) {
        this.way = way;
        this.pair = pair;
        this.loader = pair.loader(way);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Evidence.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return evidence;
    }

    @Override
    public <T> T interceptTestClassConstructor(
            Invocation<T> invocation, ReflectiveInvocationContext<Constructor<T>> call, ExtensionContext context)
            throws Throwable {
        Constructor<T> constructor = call.getExecutable();
        pair.begins();
        T original = invocation.proceed(); // JUnit needs an instance of the class that it knows
        Constructor<?> twin = here(constructor.getDeclaringClass()).getDeclaredConstructor(types(constructor));
        twin.setAccessible(true);
        try {
            instance = twin.newInstance(call.getArguments().toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        return original;
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        invoke(invocation, call);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            invoke(invocation, call);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        invoke(invocation, call);
    }

    /** Runs when all is done, so that calls that ended late are included. */
    @Override
    public void afterEach(ExtensionContext context) {
        if (way == Way.REWRITTEN) {
            context.publishReportEntry("cleave", List.copyOf(loader.verdicts()).toString());
        }
        if (context.getExecutionException().isEmpty()) {
            pair.ended(way, evidence, loader);
        }
    }

    private void invoke(Invocation<Void> invocation, ReflectiveInvocationContext<Method> call) throws Throwable {
        invocation.skip();
        Method method = call.getExecutable();
        Method twin = here(method.getDeclaringClass()).getDeclaredMethod(method.getName(), types(method));
        twin.setAccessible(true);
        try {
            twin.invoke(requireNonNull(instance), call.getArguments().toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Class<?>[] types(Executable of) throws ClassNotFoundException {
        Class<?>[] types = of.getParameterTypes().clone();
        for (int i = 0; i < types.length; i++) {
            types[i] = here(types[i]);
        }
        return types;
    }

    private Class<?> here(Class<?> type) throws ClassNotFoundException {
        return type.isPrimitive() ? type : Class.forName(type.getName(), false, loader);
    }
}
