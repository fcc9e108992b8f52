package dev.cleave.spring;

import java.lang.annotation.Annotation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.AutowireCandidateResolver;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Injects stubs where {@link CleaveReference} stands. Stands in front of the resolver that the bean factory has, which
 * decides about all other dependencies.
 */
final class ReferenceResolver implements AutowireCandidateResolver {

    private final BeanFactory beans;
    private final AutowireCandidateResolver others;

    private ReferenceResolver(BeanFactory beans, AutowireCandidateResolver others) {
        this.beans = beans;
        this.others = others;
    }

    /** Puts a resolver into each bean factory. */
    static final class Installer implements BeanFactoryPostProcessor {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
            if (factory instanceof DefaultListableBeanFactory beans) {
                beans.setAutowireCandidateResolver(new ReferenceResolver(beans, beans.getAutowireCandidateResolver()));
            }
        }
    }

    @Override
    public @Nullable Object getSuggestedValue(DependencyDescriptor dependency) {
        CleaveReference reference = reference(dependency);
        if (reference == null) {
            return others.getSuggestedValue(dependency);
        }
        Class<?> type = dependency.getDependencyType();
        return beans.getBean(CleaveStubs.class).get(ServiceNames.of(reference.name(), type), type);
    }

    private static @Nullable CleaveReference reference(DependencyDescriptor dependency) {
        Annotation[] annotations = dependency.getAnnotations();
        if (annotations.length == 0) {
            return null;
        }
        return AnnotatedElementUtils.getMergedAnnotation(
                AnnotatedElementUtils.forAnnotations(annotations), CleaveReference.class);
    }

    @Override
    public boolean isAutowireCandidate(BeanDefinitionHolder candidate, DependencyDescriptor dependency) {
        return others.isAutowireCandidate(candidate, dependency);
    }

    @Override
    public boolean isRequired(DependencyDescriptor dependency) {
        return others.isRequired(dependency);
    }

    @Override
    public boolean hasQualifier(DependencyDescriptor dependency) {
        return others.hasQualifier(dependency);
    }

    @Override
    public @Nullable String getSuggestedName(DependencyDescriptor dependency) {
        return others.getSuggestedName(dependency);
    }

    @Override
    public @Nullable Object getLazyResolutionProxyIfNecessary(
            DependencyDescriptor dependency, @Nullable String beanName) {
        return others.getLazyResolutionProxyIfNecessary(dependency, beanName);
    }

    @Override
    public @Nullable Class<?> getLazyResolutionProxyClass(DependencyDescriptor dependency, @Nullable String beanName) {
        return others.getLazyResolutionProxyClass(dependency, beanName);
    }

    @Override
    public AutowireCandidateResolver cloneIfNecessary() {
        return new ReferenceResolver(beans, others.cloneIfNecessary());
    }
}
