// The library finds its parts through decorators and needs this polyfill before it.
import 'reflect-metadata';

export * from '@peculiar/x509';
